package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.site.Site;
import io.tributary.testkit.Await;
import java.time.Duration;
import java.util.Random;

/** One injection of a fault: its dice, and its moments. */
public final class Strike {
    private final Site site;
    private final Random random;
    private long struck;
    private long healed;

    Strike(Site site, Random random) {
        this.site = site;
        this.random = random;
    }

    public Random random() {
        return random;
    }

    /** The fault happens now: new transactions are those whose commit begins from now on, or once it is {@link #inPlace()}. */
    public void now() {
        struck = Clock.SYSTEM.nanoTime();
        inPlace();
    }

    /** All of the fault has happened, where that takes a moment in which transactions still pass: those are not new. */
    public void inPlace() {
        site.reader().mark(Clock.SYSTEM.epochMicros());
    }

    /** The fault is over now: what was killed is started, what was cut passes again. */
    public void healed() {
        healed = Clock.SYSTEM.nanoTime();
    }

    /** Lets a fault last. */
    public void last(Duration duration) {
        long end = Clock.SYSTEM.nanoTime() + duration.toNanos();
        Await.until("the end of the fault", duration.multipliedBy(10), () -> Clock.SYSTEM.nanoTime() - end >= 0);
    }

    /** Waits until a reader has got the first new transaction; answers how long after the fault that was. */
    public Duration awaitServed(Duration limit) {
        Await.until(
                "the reader to get a transaction that began to commit after the fault",
                limit,
                () -> site.reader().firstSinceMark().isPresent());
        return served();
    }

    /** How long after the fault it was, once it has been waited for. */
    Duration served() {
        return Duration.ofNanos(site.reader().firstSinceMark().orElseThrow() - struck);
    }

    /** How long the fault itself lasted. */
    Duration lasted() {
        return Duration.ofNanos(Math.max(0, healed - struck));
    }
}
