package io.tributary.serve.statement;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The tables of a node for {@code SHOW TRIBUTARY ...}. Called on event loops: must not block. */
@FunctionalInterface
public interface NodeTables {
    /** A node without tables. */
    NodeTables NONE = topic ->
            CompletableFuture.failedFuture(new IllegalStateException("expected a node with status tables, found none"));

    /** The available tables. */
    enum Topic {
        STATUS,
        SHARDS,
        LAG,
        XA,
        DDL,
        BACKUPS
    }

    /**
     * Names of columns, and rows with one value for each column; null is NULL.
     *
     * @param columns at least one
     */
    record Table(List<String> columns, List<List<String>> rows) {}

    /** The table of a topic; fails with a message for the client. */
    CompletableFuture<Table> table(Topic topic);
}
