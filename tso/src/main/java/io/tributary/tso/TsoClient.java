package io.tributary.tso;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.rpc.Rpc;
import io.tributary.tso.proto.TsoGrpc;
import io.tributary.tso.proto.TsoWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A client of the TSO service that takes timestamps. Any number of threads may share one.
 *
 * <p>A distributed transaction with marker rows: execute all its statements on every shard; call {@link #next}; write the timestamp's row in every
 * branch; XA END and XA PREPARE on every shard; call {@link #awaitTurn}; if that returns true, XA COMMIT on every shard, else, and also if it throws,
 * XA ROLLBACK on every shard. A client that cannot prepare after {@link #next} rolls back and calls {@link #giveUp}, so that other transactions do
 * not wait for the lease.
 */
public final class TsoClient implements AutoCloseable {
    private final HostPort address;
    private final Duration timeout;
    private final ManagedChannel channel;
    private final TsoGrpc.TsoBlockingStub stub;

    private TsoClient(HostPort address, Duration timeout, GrpcTlsConfig tls) {
        this.address = address;
        this.timeout = timeout;
        this.channel = Rpc.of(tls).channel(address).build();
        this.stub = TsoGrpc.newBlockingStub(channel);
    }

    /**
     * Connects at the first call, and again when necessary.
     *
     * @param timeout longest time for the answer to a call; must be more than {@code tso.lease}, because a turn can take that long
     */
    public static TsoClient of(HostPort address, Duration timeout) {
        return of(address, timeout, GrpcTlsConfig.NONE);
    }

    /**
     * The same over TLS.
     *
     * @param tls with a certificate of the CA that the service trusts
     */
    public static TsoClient of(HostPort address, Duration timeout, GrpcTlsConfig tls) {
        return new TsoClient(address, timeout, tls);
    }

    /**
     * Takes timestamps without turns: for a coordinator that takes them when every branch is prepared and passes them to its shards with the commit.
     *
     * @param count 1 to 2^20
     * @return the first of a range
     * @throws TributaryException TSO_SERVICE_UNREACHABLE, TSO_SERVICE_REFUSED
     */
    public long take(int count) {
        return call(stub -> stub.take(wanted(count))).getFirst();
    }

    /**
     * Takes a timestamp with a turn: call it when the transaction holds all its locks.
     *
     * @throws TributaryException TSO_SERVICE_UNREACHABLE, TSO_SERVICE_REFUSED
     */
    public long next() {
        return next(1);
    }

    /** Takes timestamps with turns for this many transactions; returns the first of a range. */
    public long next(int count) {
        return call(stub -> stub.next(wanted(count))).getFirst();
    }

    /**
     * Reports that every branch of the transaction is prepared, and waits for its turn.
     *
     * @return whether to commit; if false, the lease has ended or the service has restarted: roll back
     * @throws TributaryException TSO_SERVICE_UNREACHABLE: roll back as well
     */
    public boolean awaitTurn(long tso) {
        return awaitTurns(List.of(tso)).size() == 1;
    }

    /** The same for several transactions: returns those that are to commit, when the turn of the last of them is granted. */
    public List<Long> awaitTurns(List<Long> prepared) {
        TsoWire.Turns turns = call(stub -> stub.awaitTurn(timestamps(prepared)));
        List<Long> granted = new ArrayList<>(prepared);
        granted.removeAll(turns.getRefusedList());
        return granted;
    }

    /** Reports that these transactions will not be committed; they are, or will be, rolled back. */
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
            return one.apply(stub.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS));
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
