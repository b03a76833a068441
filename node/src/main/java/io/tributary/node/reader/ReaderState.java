package io.tributary.node.reader;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.process.Supervisor;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The state of a reader for its status. After a failure it is held until a run has finished a transaction or has run for some seconds, so that short
 * runs that all end with the same failure do not look healthy. Any thread.
 */
final class ReaderState {
    private static final long PROVEN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Supervisor supervisor;
    private final LongSupplier transactions;
    private final Clock clock;
    private volatile Held held; // null: the last run has not failed

    /** The last failure. */
    private record Held(String line, long failedAt, long beganAt, long transactions) {
        Held again(long now) {
            return new Held(line, failedAt, now, transactions);
        }
    }

    /** @param transactions that all runs have finished */
    ReaderState(Supervisor supervisor, LongSupplier transactions, Clock clock) {
        this.supervisor = supervisor;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** A run begins. */
    void begins() {
        Held before = held;
        held = before == null ? null : before.again(clock.nanoTime());
    }

    /** The run has ended with a failure. */
    void failed(TributaryException failure) {
        long now = clock.nanoTime();
        held = new Held(failure.line(), now, now, transactions.getAsLong());
    }

    /** Whether it works, or would if there were transactions. */
    boolean isHealthy() {
        return supervisor.isRunning() && !isHeld();
    }

    private boolean isHeld() {
        Held last = held;
        return last != null
                && (!supervisor.isRunning()
                        || transactions.getAsLong() == last.transactions
                                && clock.nanoTime() - last.beganAt < PROVEN_NANOS);
    }

    /** {@code running}, {@code held: ...} with the failure and the time of the next attempt, or another state of the node. */
    String text() {
        Held last = held;
        String state = supervisor.state();
        if (last == null || !isHeld() || state.startsWith("stop")) {
            return state;
        }
        long left = last.failedAt + supervisor.pauseNanos() - clock.nanoTime();
        String next = supervisor.isRunning() || left <= 0
                ? "now"
                : String.format(Locale.ROOT, "in %.1f s", left / (double) TimeUnit.SECONDS.toNanos(1));
        return "held: " + last.line + "; tries again " + next;
    }
}
