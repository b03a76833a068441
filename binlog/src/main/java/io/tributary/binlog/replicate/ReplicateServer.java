package io.tributary.binlog.replicate;

import io.grpc.Server;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tributary.binlog.replicate.proto.ReplicateGrpc;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.rpc.Rpc;
import java.time.Duration;

/** Accepts the calls of followers on the leader. */
public final class ReplicateServer implements AutoCloseable {
    private static final Duration SHUTDOWN = Duration.ofSeconds(2);

    private final LeadStage stage;
    private final Server server;

    /**
     * Starts to listen.
     *
     * @param stage runs as long as this server
     * @throws io.tributary.common.error.TributaryException ADDRESS_UNUSABLE, STREAM_BROKEN
     */
    public ReplicateServer(ReplicateConfig config, LeadStage stage) {
        this.stage = stage;
        ReplicationTransport transport = config.transport();
        Server made = Rpc.whileRunning(transport.tls())
                .server(config.listen().resolve(), transport.keepAlive())
                .directExecutor() // received messages are only put into a queue
                .maxInboundMessageSize(transport.message())
                .addService(new Service())
                .build();
        this.server = Rpc.start(made, "dumper.listen", config.listen());
    }

    private final class Service extends ReplicateGrpc.ReplicateImplBase {
        @Override
        public StreamObserver<FromFollower> follow(StreamObserver<FromLeader> follower) {
            FollowerStream stream = new FollowerStream((ServerCallStreamObserver<FromLeader>) follower);
            stage.accept(stream);
            return stream;
        }
    }

    /** The port that it listens on. */
    int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        Rpc.end(server, SHUTDOWN);
    }
}
