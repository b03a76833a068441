package io.tributary.transmitter;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.rpc.Rpc;
import io.tributary.transmit.proto.TransmitGrpc;
import io.tributary.transmit.proto.TransmitWire;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A request that asks a relay whether it would refuse a stream. It does not disturb the stream that runs. */
public final class RelayProbe implements AutoCloseable {
    private final Rpc rpc;
    private final TokenReceiver.Upstream relay;
    private final ManagedChannel channel;
    private final CompletableFuture<Void> answer = new CompletableFuture<>();

    /** Sends the request at once. */
    public RelayProbe(TransmitConfig config, TokenReceiver.Upstream relay) {
        this.rpc = Rpc.whileRunning(config.tls());
        this.relay = relay;
        this.channel = rpc.channel(relay.address()).build();
        TransmitGrpc.newStub(channel)
                .withDeadlineAfter(config.limits().keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .stream(new Answer())
                .onNext(TransmitWire.Request.newBuilder()
                        .setOpen(TokenReceiver.opening(relay, true))
                        .build());
    }

    /**
     * Completes if the relay would accept the stream. Fails with STREAM_CONTRADICTION and the reason if it would refuse the stream, or with
     * STREAM_BROKEN if it does not answer in time ({@code transmit.keepalive}).
     */
    public CompletableFuture<Void> answer() {
        return answer;
    }

    /** Called on gRPC's threads. */
    private final class Answer implements StreamObserver<TransmitWire.Chunk> {
        @Override
        public void onNext(TransmitWire.Chunk chunk) {
            channel.shutdownNow(); // the relay takes the probe for a real stream
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            boolean isRefusal = status.getCode() == Status.Code.FAILED_PRECONDITION;
            answer.completeExceptionally(new TributaryException(
                    isRefusal ? ErrorCode.STREAM_CONTRADICTION : ErrorCode.STREAM_BROKEN,
                    "relay " + relay.name() + " at " + relay.address()
                            + (isRefusal
                                    ? " would refuse the stream: " + status.getDescription()
                                    : ": expected an answer, found " + rpc.words(status)),
                    cause));
        }

        @Override
        public void onCompleted() {
            answer.complete(null);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
