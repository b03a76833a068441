package io.tributary.testkit;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition until a deadline; the one place of the testkit that knows waiting. */
public final class Await {
    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private Await() {}

    /** A question that may fail with a checked exception. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /**
     * Returns as soon as the condition holds.
     *
     * @param what what is waited for, as it stands in the error after "waited in vain for"; what is most needed in its first line
     * @throws IllegalStateException when the limit has passed or the thread was interrupted
     */
    public static void until(String what, Duration limit, Condition condition) {
        until(() -> what, limit, condition);
    }

    /** As above; the words are asked for only when the limit has passed, so that they can tell the last state seen. */
    public static void until(Supplier<String> what, Duration limit, Condition condition) {
        long deadline = Clock.SYSTEM.nanoTime() + limit.toNanos();
        long pause = FIRST_PAUSE_NANOS;
        while (!holds(condition)) {
            if (Clock.SYSTEM.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited " + limit.toMillis() + " ms in vain for " + what.get());
            }
            LockSupport.parkNanos(pause);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what.get());
            }
            pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
