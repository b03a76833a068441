package io.tributary.dumper.serve;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a node shows of itself to those who ask in SQL: {@code SHOW TRIBUTARY ...}. Called on event loops: must not block. */
@FunctionalInterface
public interface NodeTables {
    /** A node that tells nothing. */
    NodeTables NONE = topic -> CompletableFuture.failedFuture(new IllegalStateException("this node does not tell"));

    /** What can be asked for. */
    enum Topic {
        STATUS,
        SHARDS,
        LAG,
        XA,
        DDL,
        BACKUPS
    }

    /**
     * Names of columns, and rows of as many values; null is NULL.
     *
     * @param columns at least one
     */
    record Table(List<String> columns, List<List<String>> rows) {}

    /** The table of a topic; fails with a message for people. */
    CompletableFuture<Table> table(Topic topic);
}
