package io.tributary.node.admin;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.serve.NodeTables;
import java.util.concurrent.CompletableFuture;

/** What the admin endpoint may ask of a node; any thread, at any time. */
public interface NodeView {
    NodeStatus status();

    /**
     * The distributed transactions that are not emitted. What follows the answer is to run on a thread of the caller's.
     *
     * @return fails where nothing is put into order here, or nothing now
     */
    CompletableFuture<OrderSnapshot> transactions();

    /**
     * Looks for a place in the binlog.
     *
     * @return a table of one row; fails where it is not there, or no binlog is here
     */
    default CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return CompletableFuture.failedFuture(new IllegalStateException("no binlog is served here: ask the Dumper"));
    }

    /** What is in the backup, as it was last known; fails where none is kept, or nothing is known of it yet. */
    default CompletableFuture<Manifest> backup() {
        return CompletableFuture.failedFuture(new IllegalStateException("no backup is kept here (backup.directory)"));
    }

    /** The schema changes that are under way; of a node that puts nothing into order they say where to ask. */
    default SchemaChanges schemaChanges() {
        return SchemaChanges.none("this node puts nothing into order: ask the Task");
    }

    /** Takes requests to add and remove shards. */
    default ShardRequests shardRequests() {
        return ShardRequests.NO_SHARDS;
    }
}
