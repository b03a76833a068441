package io.tributary.binlog;

import io.tributary.common.metric.Histogram;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Measures the time from commits on the shards until readers may receive them: one value for each durable group of transactions. Any thread. */
public final class CommitTimes {
    private static final int MOST = 4096;

    private final Clock clock;
    private final Histogram delays = Histogram.ofNanos();
    private final Deque<Group> waiting = new ArrayDeque<>();

    /** A group up to a transaction, with the commit time of its oldest one. */
    private record Group(long gno, long micros) {}

    public CommitTimes(Clock clock, Metrics metrics) {
        this.clock = clock;
        metrics.register(Metric.SERVED_DELAY, delays);
    }

    /** A group up to this transaction is durable and not readable yet. */
    synchronized void durable(long gno, long micros) {
        if (micros > 0 && waiting.size() < MOST) {
            waiting.addLast(new Group(gno, micros));
        }
    }

    /** Everything up to this transaction is readable now. */
    synchronized void readable(long gno) {
        if (waiting.isEmpty() || waiting.peekFirst().gno() > gno) {
            return;
        }
        long now = clock.epochMicros();
        while (!waiting.isEmpty() && waiting.peekFirst().gno() <= gno) {
            delays.record(
                    TimeUnit.MICROSECONDS.toNanos(now - waiting.removeFirst().micros()));
        }
    }
}
