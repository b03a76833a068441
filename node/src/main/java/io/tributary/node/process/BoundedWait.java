package io.tributary.node.process;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded wait for a result of other threads: polls in small steps, until the node stops, the pipeline has ended, or the timeout has passed. */
public final class BoundedWait {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final StopSignal stop;
    private final BooleanSupplier isRunning;
    private final Clock clock;
    private final long timeoutNanos;
    private final long deadline;

    /** @param isRunning whether the pipeline still runs */
    public BoundedWait(StopSignal stop, BooleanSupplier isRunning, Clock clock, Duration timeout) {
        this.stop = stop;
        this.isRunning = isRunning;
        this.clock = clock;
        this.timeoutNanos = timeout.toNanos();
        this.deadline = clock.nanoTime() + timeoutNanos;
    }

    /** A wait with its own timeout, but not longer than the rest of this one's. */
    public BoundedWait within(Duration timeout) {
        long left = Math.max(0, deadline - clock.nanoTime());
        return new BoundedWait(stop, isRunning, clock, Duration.ofNanos(Math.min(left, timeout.toNanos())));
    }

    /** A wait with a new timeout. */
    public BoundedWait restarted(Duration timeout) {
        return new BoundedWait(stop, isRunning, clock, timeout);
    }

    /**
     * Waits until a condition holds.
     *
     * @param condition describes the condition, as of now, for the failure
     * @throws TributaryException SHARD_CHANGE_FAILED when the condition does not hold in time
     */
    public void until(BooleanSupplier done, Supplier<String> condition) {
        while (!done.getAsBoolean()) {
            if (clock.nanoTime() - deadline > 0) {
                throw failed("timed out after " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms: waited for "
                        + condition.get());
            }
            if (!isRunning.getAsBoolean()) {
                throw failed("the pipeline ended during the wait for " + condition.get() + ": run the command again");
            }
            try {
                if (stop.await(STEP_NANOS)) {
                    throw failed("the node stops: run the command again after its next start");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failed("interrupted during the wait for " + condition.get());
            }
        }
    }

    /** Waits for an answer. */
    public <T> T answer(CompletableFuture<T> answer, String condition) {
        until(answer::isDone, () -> condition);
        try {
            return answer.join();
        } catch (CancellationException | CompletionException e) {
            if (e.getCause() instanceof TributaryException known) {
                throw known;
            }
            throw failed("the pipeline ended during the wait for " + condition + ": run the command again");
        }
    }

    public static TributaryException failed(String message) {
        return new TributaryException(ErrorCode.SHARD_CHANGE_FAILED, message);
    }
}
