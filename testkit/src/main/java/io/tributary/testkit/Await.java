package io.tributary.testkit;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition with a timeout. All waits of the testkit use it. */
public final class Await {
    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    private Await() {}

    /** A condition whose check may throw a checked exception. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /**
     * Returns as soon as the condition holds.
     *
     * @param what the condition in words, after "timed out after N ms: waited for" in the error; the most important facts are in the first line
     * @throws IllegalStateException when the limit has passed or the thread was interrupted
     */
    public static void until(String what, Duration limit, Condition condition) {
        until(() -> what, limit, condition);
    }

    /** As above; the words are requested only after the timeout, so that they can contain the last state. */
    public static void until(Supplier<String> what, Duration limit, Condition condition) {
        long deadline = Clock.SYSTEM.nanoTime() + limit.toNanos();
        long pause = FIRST_PAUSE_NANOS;
        while (!holds(condition)) {
            if (Clock.SYSTEM.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "timed out after " + limit.toMillis() + " ms: waited for " + what.get());
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
