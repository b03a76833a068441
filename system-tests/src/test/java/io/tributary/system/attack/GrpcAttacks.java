package io.tributary.system.attack;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.tributary.common.config.HostPort;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.rpc.Rpc;
import io.tributary.transmit.proto.TransmitGrpc;
import io.tributary.transmit.proto.TransmitWire;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The attacks of a client without a certificate at {@code transmit.listen} of a Task and at {@code dumper.listen} of the leader. */
public final class GrpcAttacks {
    private static final int CONNECTIONS = 200;
    private static final int OPENS = 50;
    private static final long TIMEOUT_SECONDS = 20;

    private final int task;
    private final int leader;
    private final Random random;

    public GrpcAttacks(int task, int leader, long seed) {
        this.task = task;
        this.leader = leader;
        this.random = new Random(seed);
    }

    public List<Attack> all() {
        return List.of(
                new Attack("streams with unknown epochs", this::unknownEpochs),
                new Attack("garbage for gRPC", () -> {
                    Sockets.garbage(task, CONNECTIONS, random);
                    Sockets.garbage(leader, CONNECTIONS, random);
                }),
                new Attack("idle gRPC connections", () -> {
                    Sockets.idle(task, CONNECTIONS);
                    Sockets.idle(leader, CONNECTIONS);
                }));
    }

    private void unknownEpochs() throws Exception {
        ManagedChannel channel = Rpc.of(GrpcTlsConfig.NONE)
                .channel(new HostPort("127.0.0.1", task))
                .build();
        try {
            for (int i = 1; i <= OPENS; i++) {
                requireRefused(channel, Long.MAX_VALUE / OPENS * i);
            }
        } finally {
            Rpc.end(channel, Duration.ofSeconds(TIMEOUT_SECONDS));
        }
    }

    private static void requireRefused(ManagedChannel channel, long epoch) throws Exception {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        StreamObserver<TransmitWire.Request> requests = TransmitGrpc.newStub(channel).stream(new StreamObserver<>() {
            @Override
            public void onNext(TransmitWire.Chunk chunk) {
                ended.complete(new IllegalStateException("the stream was opened"));
            }

            @Override
            public void onError(Throwable refused) {
                ended.complete(refused);
            }

            @Override
            public void onCompleted() {
                ended.complete(new IllegalStateException("the stream ended without an error"));
            }
        });
        requests.onNext(TransmitWire.Request.newBuilder()
                .setOpen(TransmitWire.Open.newBuilder()
                        .setVersion(5)
                        .setCluster("tributary")
                        .setStream("main")
                        .setEpoch(epoch))
                .build());
        Throwable end = ended.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (!(end instanceof StatusRuntimeException)) {
            throw new IllegalStateException("epoch " + epoch + ": expected to be refused", end);
        }
    }
}
