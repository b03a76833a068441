package io.tributary.node.role;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.config.Config;
import io.tributary.node.admin.SchemaChangeAccess;
import io.tributary.node.apply.ApplyRuns;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.reader.NodeReader;
import io.tributary.node.sink.SinkRuns;
import io.tributary.node.status.NodeStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Role of a node that reads the binlog of other nodes as a client. It stores nothing: where it writes has its progress. */
final class ReaderRole implements Role {
    private final String version;
    private final String name;
    private final String ask;
    private final NodeReader reader;

    /**
     * @param name of the role
     * @param what it is, in words
     */
    private ReaderRole(String version, String name, String what, NodeReader reader) {
        this.version = version;
        this.name = name;
        this.ask = what + " does not order transactions: ask the node that it reads";
        this.reader = reader;
    }

    /** Applies the stream to a target. */
    static ReaderRole applier(NodeEnvironment environment) {
        return new ReaderRole(environment.version(), "apply", "an applier", new ApplyRuns(environment));
    }

    /** Sends the stream to Kafka. */
    static ReaderRole sink(NodeEnvironment environment) {
        return new ReaderRole(environment.version(), "sink", "a sink", new SinkRuns(environment));
    }

    @Override
    public void run() throws InterruptedException {
        reader.runs().run();
    }

    @Override
    public void update(Config newer) {
        reader.update(newer);
    }

    @Override
    public CompletableFuture<OrderSnapshot> transactions() {
        return CompletableFuture.failedFuture(new IllegalStateException(ask));
    }

    @Override
    public SchemaChangeAccess schemaChanges() {
        return SchemaChangeAccess.none(ask);
    }

    @Override
    public NodeStatus status() {
        return new NodeStatus(
                version,
                name,
                reader.runs().state(),
                reader.runs().isHealthy(),
                List.of(),
                List.of(reader.status()));
    }

    @Override
    public void close() {
        reader.close();
    }
}
