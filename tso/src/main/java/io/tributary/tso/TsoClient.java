package io.tributary.tso;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.rpc.GrpcTlsConfig;
import io.tributary.common.rpc.Rpc;
import io.tributary.tso.proto.TsoGrpc;
import io.tributary.tso.proto.TsoWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Takes timestamps from a TSO service. Any number of threads may share one.
 *
 * <p>A distributed transaction with marker rows: do all its work on every shard; {@link #next}; write the timestamp's row in every branch;
 * XA END and XA PREPARE on every shard; {@link #awaitTurn}; if that said yes XA COMMIT everywhere, else, and also when it threw, XA
 * ROLLBACK everywhere. Who cannot prepare after {@link #next} rolls back and says {@link #giveUp}, so that nobody waits for the lease.
 */
public final class TsoClient implements AutoCloseable {
    private final HostPort address;
    private final Duration patience;
    private final ManagedChannel channel;
    private final TsoGrpc.TsoBlockingStub stub;

    private TsoClient(HostPort address, Duration patience, GrpcTlsConfig tls) {
        this.address = address;
        this.patience = patience;
        this.channel = Rpc.of(tls).channel(address).build();
        this.stub = TsoGrpc.newBlockingStub(channel);
    }

    /**
     * Connects with the first call, and again whenever that is needed.
     *
     * @param patience longest time for the answer to a call; more than {@code tso.lease}, which is how long a turn can take
     */
    public static TsoClient of(HostPort address, Duration patience) {
        return of(address, patience, GrpcTlsConfig.NONE);
    }

    /**
     * The same over TLS.
     *
     * @param tls with a certificate of the CA that the service trusts
     */
    public static TsoClient of(HostPort address, Duration patience, GrpcTlsConfig tls) {
        return new TsoClient(address, patience, tls);
    }

    /**
     * Timestamps without turns: for a coordinator that takes them when every branch is prepared and tells its shards with the commit.
     *
     * @param count 1 to 2^20
     * @return the first of a range
     * @throws TributaryException TSO_SERVICE_UNREACHABLE, TSO_SERVICE_REFUSED
     */
    public long take(int count) {
        return call(stub -> stub.take(wanted(count))).getFirst();
    }

    /**
     * A timestamp with a turn: call it when the transaction holds all its locks.
     *
     * @throws TributaryException TSO_SERVICE_UNREACHABLE, TSO_SERVICE_REFUSED
     */
    public long next() {
        return next(1);
    }

    /** Timestamps with turns for this many transactions; the first of a range. */
    public long next(int count) {
        return call(stub -> stub.next(wanted(count))).getFirst();
    }

    /**
     * Says that every branch of the transaction is prepared, and waits for its turn.
     *
     * @return whether to commit; else the lease has ended, or the service has begun anew: roll back
     * @throws TributaryException TSO_SERVICE_UNREACHABLE: roll back as well
     */
    public boolean awaitTurn(long tso) {
        return awaitTurns(List.of(tso)).size() == 1;
    }

    /** The same for several transactions at once: answers those that are to commit when the turn of the last of them has come. */
    public List<Long> awaitTurns(List<Long> prepared) {
        TsoWire.Turns turns = call(stub -> stub.awaitTurn(timestamps(prepared)));
        List<Long> granted = new ArrayList<>(prepared);
        granted.removeAll(turns.getRefusedList());
        return granted;
    }

    /** Says that these will not be committed; they are, or will be, rolled back. */
    public void giveUp(List<Long> tsos) {
        call(stub -> stub.giveUp(timestamps(tsos)));
    }

    private static TsoWire.Wanted wanted(int count) {
        return TsoWire.Wanted.newBuilder().setCount(count).build();
    }

    private static TsoWire.Timestamps timestamps(List<Long> tsos) {
        return TsoWire.Timestamps.newBuilder().addAllTso(tsos).build();
    }

    private <T> T call(Function<TsoGrpc.TsoBlockingStub, T> one) {
        try {
            return one.apply(stub.withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (StatusRuntimeException e) {
            Status.Code code = e.getStatus().getCode();
            boolean isRefusal = code == Status.Code.INVALID_ARGUMENT || code == Status.Code.RESOURCE_EXHAUSTED;
            throw new TributaryException(
                    isRefusal ? ErrorCode.TSO_SERVICE_REFUSED : ErrorCode.TSO_SERVICE_UNREACHABLE,
                    "TSO service " + address + ": " + e.getStatus(),
                    e);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
