package io.tributary.node.console;

import io.tributary.node.process.StopSignal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Searches the changes of rows in the binlog files of this node. Any thread. */
public interface RowSearch {
    /** The maximum number of changes in one answer. */
    int MOST_ROWS = 100;

    /** Of a node without binlog files. */
    RowSearch NONE = (question, showsValues, stop) ->
            CompletableFuture.failedFuture(new IllegalStateException("no binlog is kept here: ask the Dumper"));

    /**
     * Finds changes, oldest first. An answer is complete up to the place where it ended: after {@link #MOST_ROWS} changes, after a number of bytes, or
     * when the stop was requested.
     *
     * @param showsValues whether the answer contains the values of rows
     * @param stop ends the search soon after it is requested
     * @return {@code rows}; {@code first} and {@code last}, the GTIDs of the transactions between which it searched, {@code last} and its
     *     {@code lastTime} null and "" if it read none; {@code next}, the place where another search continues, null at the end of the binlog or
     *     of the range; fails if the question cannot be answered
     */
    CompletableFuture<Map<String, Object>> find(RowQuestion question, boolean showsValues, StopSignal stop);
}
