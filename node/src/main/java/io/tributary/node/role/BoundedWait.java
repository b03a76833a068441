package io.tributary.node.role;

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

/** Waits in small steps for what other threads do, until the node is to stop, the pipeline has ended, or patience is at its end. */
final class Waiting {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final StopSignal stop;
    private final BooleanSupplier isRunning;
    private final Clock clock;
    private final long patienceNanos;
    private final long deadline;

    /** @param isRunning whether the pipeline is still there */
    Waiting(StopSignal stop, BooleanSupplier isRunning, Clock clock, Duration patience) {
        this.stop = stop;
        this.isRunning = isRunning;
        this.clock = clock;
        this.patienceNanos = patience.toNanos();
        this.deadline = clock.nanoTime() + patienceNanos;
    }

    /** The same with patience of its own, but no longer than this one's. */
    Waiting within(Duration patience) {
        long left = Math.max(0, deadline - clock.nanoTime());
        return new Waiting(stop, isRunning, clock, Duration.ofNanos(Math.min(left, patience.toNanos())));
    }

    /** The same with fresh patience. */
    Waiting anew(Duration patience) {
        return new Waiting(stop, isRunning, clock, patience);
    }

    /**
     * Waits until something holds.
     *
     * @param what names it, as of now, for the failure
     * @throws TributaryException SHARD_CHANGE_FAILED when it does not come to that
     */
    void until(BooleanSupplier done, Supplier<String> what) {
        while (!done.getAsBoolean()) {
            if (clock.nanoTime() - deadline > 0) {
                throw failed(
                        "waited " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms in vain for " + what.get());
            }
            if (!isRunning.getAsBoolean()) {
                throw failed("the pipeline ended while it waited for " + what.get() + "; run the command again");
            }
            try {
                if (stop.await(STEP_NANOS)) {
                    throw failed("the node stops; run the command again when it is started");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw failed("interrupted while it waited for " + what.get());
            }
        }
    }

    /** Waits for an answer. */
    <T> T answer(CompletableFuture<T> asked, String what) {
        until(asked::isDone, () -> what);
        try {
            return asked.join();
        } catch (CancellationException | CompletionException e) {
            if (e.getCause() instanceof TributaryException known) {
                throw known;
            }
            throw failed("the pipeline ended while it waited for " + what + "; run the command again");
        }
    }

    static TributaryException failed(String message) {
        return new TributaryException(ErrorCode.SHARD_CHANGE_FAILED, message);
    }
}
