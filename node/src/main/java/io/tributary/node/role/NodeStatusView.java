package io.tributary.node.role;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.serve.NodeTables;
import io.tributary.node.admin.NodeStatus;
import io.tributary.node.admin.NodeView;
import io.tributary.node.admin.SchemaChanges;
import io.tributary.node.admin.ShardRequests;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The node as its admin endpoint sees it: its start, which may take long, then its role. */
final class NodeFront implements NodeView {
    private final String version;
    private final String name;
    private final Startup startup;
    private volatile Role role; // null before it is made, and once it ends
    private volatile boolean hasEnded;
    private Config newer; // read again before there was a role

    /** @param name of what the node will be */
    NodeFront(String version, String name, Startup startup) {
        this.version = version;
        this.name = name;
        this.startup = startup;
    }

    /** As long as it is open, the role is asked. */
    interface Shown extends AutoCloseable {
        @Override
        void close();
    }

    /** It is made; until the result is closed it is asked. */
    synchronized Shown shows(Role made) {
        if (newer != null) {
            made.take(newer);
        }
        role = made;
        return () -> {
            hasEnded = true;
            role = null;
        };
    }

    /** As {@link Role#take}. */
    synchronized void take(Config config) {
        newer = config;
        Role now = role;
        if (now != null) {
            now.take(config);
        }
    }

    @Override
    public NodeStatus status() {
        Role now = role;
        return now == null ? new NodeStatus(version, name, state(), false, List.of(), Map.of()) : now.status();
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        Role now = role;
        return now == null ? notYet() : now.transactions();
    }

    @Override
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        Role now = role;
        return now == null ? notYet() : now.find(goal);
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        Role now = role;
        return now == null ? notYet() : now.backup();
    }

    @Override
    public SchemaChanges schemaChanges() {
        Role now = role;
        return now == null ? SchemaChanges.none("the node does not run now: " + state()) : now.schemaChanges();
    }

    @Override
    public ShardRequests shardRequests() {
        Role now = role;
        return now == null ? NodeView.super.shardRequests() : now.shardRequests();
    }

    private String state() {
        return hasEnded ? "stopping" : startup.state();
    }

    private <T> CompletableFuture<T> notYet() {
        return CompletableFuture.failedFuture(new IllegalStateException("the node does not run now: " + state()));
    }
}
