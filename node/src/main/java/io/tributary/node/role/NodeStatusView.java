package io.tributary.node.role;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.node.admin.NodeView;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.admin.ShardRequests;
import io.tributary.node.console.RowSearch;
import io.tributary.node.process.Startup;
import io.tributary.node.status.NodeStatus;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The node's view for its admin endpoint: first its start, which may take long, then its role. */
final class NodeStatusView implements NodeView {
    private final String version;
    private final String name;
    private final Startup startup;
    private final RowSearch rows;
    private final Optional<Path> authority;
    private volatile Role role; // null before it is created and after it ends
    private volatile boolean hasEnded;
    private Config newer; // null, or a configuration that was read before the role was created

    /**
     * @param name of the role that the node will have
     * @param rows in the node's binlog files
     * @param authority the CA of the certificates of this cluster's nodes
     */
    NodeStatusView(String version, String name, Startup startup, RowSearch rows, Optional<Path> authority) {
        this.version = version;
        this.name = name;
        this.startup = startup;
        this.rows = rows;
        this.authority = authority;
    }

    /** While it is open, requests go to the role. */
    interface Shown extends AutoCloseable {
        @Override
        void close();
    }

    /** Sends requests to the role until the result is closed. */
    synchronized Shown publish(Role made) {
        if (newer != null) {
            made.update(newer);
        }
        role = made;
        return () -> {
            hasEnded = true;
            role = null;
        };
    }

    /** As {@link Role#update}. */
    synchronized void update(Config config) {
        newer = config;
        Role now = role;
        if (now != null) {
            now.update(config);
        }
    }

    @Override
    public NodeStatus status() {
        Role now = role;
        return now == null ? new NodeStatus(version, name, state(), false, List.of(), List.of()) : now.status();
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
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        Role now = role;
        return now == null ? notYet() : now.events(request);
    }

    @Override
    public Optional<Path> authority() {
        return authority;
    }

    @Override
    public RowSearch rows() {
        return rows;
    }

    @Override
    public CompletableFuture<Manifest> backup() {
        Role now = role;
        return now == null ? notYet() : now.backup();
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        Role now = role;
        return now == null ? SchemaChangeAccess.none("the node is not running: " + state()) : now.schemaChanges();
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
        return CompletableFuture.failedFuture(new IllegalStateException("the node is not running: " + state()));
    }
}
