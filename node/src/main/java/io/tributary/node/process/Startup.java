package io.tributary.node.process;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of a node's start until its role exists, with the signal that stops the node. */
public final class Startup {
    private static final Logger LOG = LoggerFactory.getLogger(Startup.class);

    private final StopSignal stop;
    private volatile String state = "starting";

    public Startup(StopSignal stop) {
        this.stop = stop;
    }

    public StopSignal stop() {
        return stop;
    }

    /** The current state, for the status. */
    public String state() {
        return state;
    }

    /** Whether a failure may be temporary. */
    public interface IsTemporary {
        boolean test(TributaryException failure);
    }

    /**
     * Runs a step of the start, and retries it while its failures may be temporary. Logs each retry and shows it in the status.
     *
     * @param breaker aborts the step, as in {@link StopSignal#during}; it may interrupt this thread
     * @return the result of the step
     * @throws TributaryException the last failure, if the node is stopped meanwhile; a failure that is not temporary
     */
    public <T, X extends Exception> T retryUntilAvailable(
            StopSignal.Work<T, X> step, Runnable breaker, IsTemporary isTemporary, Backoff pauses) throws X {
        while (true) {
            try {
                T done = stop.during(breaker, step);
                state = "starting";
                return done;
            } catch (TributaryException failure) {
                if (!isTemporary.test(failure) || isStopped()) {
                    throw failure;
                }
                long nanos = pauses.nextNanos(false);
                state = "starting: waits to try again after: " + failure.line();
                LOG.warn(
                        "step of the start failed: retry.in.ms={} error=\"{}\"",
                        TimeUnit.NANOSECONDS.toMillis(nanos),
                        failure.line());
                if (isStoppedWithin(nanos)) {
                    throw failure;
                }
                state = "starting: tries again after: " + failure.line();
            } finally {
                isStopped();
            }
        }
    }

    /** Whether the node is stopped; clears an interrupt that the breaker may have set, since it is not needed any more. */
    private boolean isStopped() {
        if (!stop.isRequested()) {
            return false;
        }
        var unused = Thread.interrupted();
        return true;
    }

    private boolean isStoppedWithin(long nanos) {
        try {
            return stop.await(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
