package io.tributary.tso;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.tso.proto.TsoGrpc;
import io.tributary.tso.proto.TsoWire;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the calls of {@code tso.proto}. All calls, and all checks of the leases, run on one event loop. */
final class TsoService extends TsoGrpc.TsoImplBase {
    /** The largest range in one call. */
    static final int MOST_AT_ONCE = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(TsoService.class);

    private final TsoConfig config;
    private final TsoSequence sequence;
    private final PendingTimestamps turns;
    private final Clock clock;
    private final Count handedOut = new Count();
    private final Count open = new Count();
    private final Count oldest = new Count();
    private final Count expired = new Count();

    TsoService(TsoConfig config, TsoSequence sequence, Clock clock, Metrics metrics) {
        this.config = config;
        this.sequence = sequence;
        this.turns = new PendingTimestamps(config.lease().toNanos());
        this.clock = clock;
        oldest.set(clock.nanoTime());
        metrics.register(Metric.TSO_HANDED_OUT, handedOut::value);
        metrics.register(Metric.TSO_OPEN, open::value);
        metrics.register(Metric.TSO_OLDEST, () -> open.value() == 0 ? 0 : (clock.nanoTime() - oldest.value()) / 1e9);
        metrics.register(Metric.TSO_EXPIRED, expired::value);
    }

    @Override
    public void take(TsoWire.Wanted wanted, StreamObserver<TsoWire.Range> client) {
        answerRange(wanted, 0, client);
    }

    @Override
    public void next(TsoWire.Wanted wanted, StreamObserver<TsoWire.Range> client) {
        int room = config.turns() - turns.count();
        if (wanted.getCount() > room) {
            client.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("expected at most " + room + " more turns of the " + config.turns()
                            + " of tso.turns, found a request for " + wanted.getCount())
                    .asRuntimeException());
            return;
        }
        answerRange(wanted, (int) config.lease().toMillis(), client);
    }

    private void answerRange(TsoWire.Wanted wanted, int leaseMillis, StreamObserver<TsoWire.Range> client) {
        int count = wanted.getCount();
        if (count < 1 || count > MOST_AT_ONCE) {
            client.onError(Status.INVALID_ARGUMENT
                    .withDescription(
                            "expected a count of 1 to " + MOST_AT_ONCE + ", found " + Integer.toUnsignedString(count))
                    .asRuntimeException());
            return;
        }
        long first;
        try {
            first = sequence.take(count);
        } catch (TributaryException e) {
            LOG.error("no timestamps handed out: error=\"{}\"", e.line());
            client.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
            return;
        }
        handedOut.add(count);
        if (leaseMillis > 0) {
            turns.open(first, count, clock.nanoTime());
            changed();
        }
        client.onNext(TsoWire.Range.newBuilder()
                .setFirst(first)
                .setCount(count)
                .setLeaseMillis(leaseMillis)
                .build());
        client.onCompleted();
    }

    @Override
    public void awaitTurn(TsoWire.Timestamps prepared, StreamObserver<TsoWire.Turns> client) {
        expireLeases();
        TsoWire.Turns.Builder answer = TsoWire.Turns.newBuilder();
        long largest = close(prepared, answer);
        if (largest < 0) {
            answer(client, answer);
            return;
        }
        ServerCallStreamObserver<TsoWire.Turns> call = (ServerCallStreamObserver<TsoWire.Turns>) client;
        PendingTimestamps.Waiting waiting = turns.await(largest, () -> answer(call, answer));
        call.setOnCancelHandler(() -> turns.forget(waiting));
        changed();
    }

    @Override
    public void giveUp(TsoWire.Timestamps givenUp, StreamObserver<TsoWire.Turns> client) {
        TsoWire.Turns.Builder answer = TsoWire.Turns.newBuilder();
        close(givenUp, answer);
        answer(client, answer);
        changed();
    }

    /** Closes timestamps; returns the largest one that was open, -1 for none; those that were not open are added to the answer. */
    private long close(TsoWire.Timestamps timestamps, TsoWire.Turns.Builder answer) {
        long largest = -1;
        for (int i = 0; i < timestamps.getTsoCount(); i++) {
            long tso = timestamps.getTso(i);
            if (turns.close(tso)) {
                largest = Math.max(largest, tso);
            } else {
                answer.addRefused(tso);
            }
        }
        return largest;
    }

    private static void answer(StreamObserver<TsoWire.Turns> client, TsoWire.Turns.Builder answer) {
        client.onNext(answer.build());
        client.onCompleted();
    }

    /** Closes the timestamps whose lease has ended. */
    void expireLeases() {
        int expiredNow = turns.expire(clock.nanoTime());
        if (expiredNow > 0) {
            expired.add(expiredNow);
            LOG.warn(
                    "transactions expired: count={} lease.milliseconds={} reason=\"their clients sent nothing after"
                            + " they took a timestamp\"",
                    expiredNow,
                    TimeUnit.NANOSECONDS.toMillis(config.lease().toNanos()));
            changed();
        }
    }

    private void changed() {
        turns.grantTurns();
        open.set(turns.count());
        oldest.set(turns.oldestNanos(clock.nanoTime()));
    }
}
