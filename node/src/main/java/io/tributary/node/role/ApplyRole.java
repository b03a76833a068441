package io.tributary.node.role;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.apply.ApplyRuns;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.status.NodeStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Role of a node that applies the binlog of other nodes to a target. It stores nothing: the target has its progress. */
final class ApplyRole implements Role {
    private static final String ASK = "an applier does not order transactions: ask the node that it reads";

    private final String version;
    private final ApplyRuns runs;

    ApplyRole(NodeEnvironment environment) {
        this.version = environment.version();
        this.runs = new ApplyRuns(environment);
    }

    @Override
    public void run() throws InterruptedException {
        runs.run();
    }

    @Override
    public void update(Config newer) {
        runs.update(newer);
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return CompletableFuture.failedFuture(new IllegalStateException(ASK));
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return SchemaChangeAccess.none(ASK);
    }

    @Override
    public NodeStatus status() {
        return new NodeStatus(version, "apply", runs.state(), runs.isHealthy(), List.of(), List.of(runs.status()));
    }

    @Override
    public void close() {
        runs.close();
    }
}
