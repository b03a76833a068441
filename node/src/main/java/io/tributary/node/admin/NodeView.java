package io.tributary.node.admin;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.node.console.RowSearch;
import io.tributary.node.status.NodeStatus;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The functions of a node that the admin endpoint calls; any thread, at any time. */
public interface NodeView {
    NodeStatus status();

    /**
     * The distributed transactions that are not emitted. The caller must process the answer on a thread of its own.
     *
     * @return fails if this node does not order transactions, or does not at the moment
     */
    CompletableFuture<OrderSnapshot> transactions();

    /**
     * Searches for a position in the binlog.
     *
     * @return a table of one row; fails if the position is not found, or if this node has no binlog
     */
    default CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return CompletableFuture.failedFuture(new IllegalStateException("no binlog is served here: ask the Dumper"));
    }

    /**
     * The events of a binlog file, as SHOW BINLOG EVENTS lists them.
     *
     * @return a table with the columns of that statement; fails if there is no such position, or if this node has no binlog
     */
    default CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return CompletableFuture.failedFuture(new IllegalStateException("no binlog is served here: ask the Dumper"));
    }

    /** The file with the CA of the certificates of this cluster's nodes; empty if they have none. */
    default Optional<Path> authority() {
        return Optional.empty();
    }

    /** The search of changes of rows in this node's binlog files. */
    default RowSearch rows() {
        return RowSearch.NONE;
    }

    /** The content of the backup as it was last known; fails if the node has no backup, or has not read it yet. */
    default CompletableFuture<Manifest> backup() {
        return CompletableFuture.failedFuture(new IllegalStateException("no backup is kept here (backup.directory)"));
    }

    /** The schema changes in progress; those of a node that does not order transactions fail with a message that names the node to ask. */
    default SchemaChangeAccess schemaChanges() {
        return SchemaChangeAccess.none("this node does not order transactions: ask the Task");
    }

    /** Accepts requests to add and remove shards. */
    default ShardRequests shardRequests() {
        return ShardRequests.NO_SHARDS;
    }
}
