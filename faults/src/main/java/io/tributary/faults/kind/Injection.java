package io.tributary.faults.kind;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.Await;
import java.time.Duration;
import java.util.Random;

/** One injection of a fault: its random numbers and its times. */
public final class Injection {
    private final TestCluster cluster;
    private final Random random;
    private long startNanos;
    private long endNanos;

    public Injection(TestCluster cluster, Random random) {
        this.cluster = cluster;
        this.random = random;
    }

    public Random random() {
        return random;
    }

    /** Records that the fault begins now. New transactions are those whose commit begins after this call, or after a later {@link #inPlace()}. */
    public void now() {
        startNanos = Clock.SYSTEM.nanoTime();
        inPlace();
    }

    /** Records that the fault is complete. Transactions that committed while it was being injected do not count as new. */
    public void inPlace() {
        cluster.reader().mark(Clock.SYSTEM.epochMicros());
    }

    /** Records that the fault is over: killed processes are started, connections pass again. */
    public void repaired() {
        endNanos = Clock.SYSTEM.nanoTime();
    }

    /** Waits while the fault lasts. */
    public void last(Duration duration) {
        long end = Clock.SYSTEM.nanoTime() + duration.toNanos();
        Await.until("the end of the fault", duration.multipliedBy(10), () -> Clock.SYSTEM.nanoTime() - end >= 0);
    }

    /** Waits until the reader has received the first new transaction; returns the time since the fault began. */
    public Duration awaitServed(Duration limit) {
        Await.until(
                "the reader to receive a transaction that began to commit after the fault",
                limit,
                () -> cluster.reader().firstSinceMark().isPresent());
        return served();
    }

    /** The time from the fault to the first new transaction. Only after {@link #awaitServed}. */
    public Duration served() {
        return Duration.ofNanos(cluster.reader().firstSinceMark().orElseThrow() - startNanos);
    }

    /** How long the fault lasted. */
    public Duration lasted() {
        return Duration.ofNanos(Math.max(0, endNanos - startNanos));
    }
}
