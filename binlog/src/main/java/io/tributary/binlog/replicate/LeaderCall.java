package io.tributary.binlog.replicate;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.tributary.binlog.replicate.proto.ReplicateGrpc;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.InboundQueue;
import io.tributary.rpc.Rpc;
import java.time.Duration;
import java.util.Optional;

/** A follower's call to its leader. It queues received messages, which are bounded by the number requested. For one thread. */
final class LeaderCall implements LeaderChannel {
    private static final Duration SHUTDOWN = Duration.ofSeconds(2);

    private final Rpc rpc;
    private final HostPort leader;
    private final ManagedChannel channel;
    private final ClientCall<FromFollower, FromLeader> call;
    private final InboundQueue<FromLeader> arrived = new InboundQueue<>();
    private volatile Status end;

    /** Connects at once. */
    LeaderCall(ReplicationTransport transport, HostPort leader) {
        this.rpc = Rpc.whileRunning(transport.tls());
        this.leader = leader;
        this.channel = rpc.channel(leader, transport.keepAlive())
                .directExecutor() // received messages are only put into a queue
                .maxInboundMessageSize(transport.message())
                .initialFlowControlWindow(
                        (int) Math.max(1 << 20, transport.credit().bytes()))
                .build();
        this.call = channel.newCall(ReplicateGrpc.getFollowMethod(), CallOptions.DEFAULT);
        call.start(new Listener(), new Metadata());
        call.request(transport.messagesAhead());
    }

    /** Runs on Netty's event loop. */
    private final class Listener extends ClientCall.Listener<FromLeader> {
        @Override
        public void onMessage(FromLeader message) {
            arrived.add(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            end = status;
            arrived.ring();
        }
    }

    @Override
    public void send(FromFollower message) {
        call.sendMessage(message);
    }

    @Override
    public FromLeader poll() {
        Status endSeen = end;
        FromLeader message = arrived.poll();
        if (message != null) {
            call.request(1);
        } else if (endSeen != null) {
            throw ended(endSeen);
        }
        return message;
    }

    private TributaryException ended(Status status) {
        String description = String.valueOf(status.getDescription());
        Optional<ErrorCode> code = FollowerChannel.CODES.stream()
                .filter(each -> description.startsWith(each.name() + " "))
                .findFirst();
        if (code.isPresent()) {
            return new TributaryException(
                    code.get(),
                    "the leader at " + leader + " refused: "
                            + description.substring(code.get().name().length() + 1));
        }
        return new TributaryException(
                ErrorCode.STREAM_BROKEN,
                "expected the leader at " + leader + " to continue the call, found that it ended: " + rpc.words(status),
                status.getCause());
    }

    @Override
    public void close() {
        call.cancel("the follower ends", null);
        Rpc.end(channel, SHUTDOWN);
    }
}
