package io.tributary.node.role;

import io.tributary.common.error.TributaryException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far the start of a node is, before it has a role that says more, and the wish that it ends. */
final class Startup {
    private static final Logger LOG = LoggerFactory.getLogger(Startup.class);

    private final StopSignal stop;
    private volatile String state = "starting";

    Startup(StopSignal stop) {
        this.stop = stop;
    }

    StopSignal stop() {
        return stop;
    }

    /** What it does now, for the status. */
    String state() {
        return state;
    }

    /** Whether a failure may pass. */
    interface MayPass {
        boolean test(TributaryException failure);
    }

    /**
     * Does a step of the start, again and again while it fails by what may pass, and says so.
     *
     * @param breaker breaks it off, as in {@link StopSignal#during}; it may interrupt this thread
     * @return what the step did
     * @throws TributaryException what it failed by last, where the node is to stop; what does not pass
     */
    <T, X extends Exception> T patiently(StopSignal.Work<T, X> step, Runnable breaker, MayPass mayPass, Pauses pauses)
            throws X {
        while (true) {
            try {
                T done = stop.during(breaker, step);
                state = "starting";
                return done;
            } catch (TributaryException failure) {
                if (!mayPass.test(failure) || isStopped()) {
                    throw failure;
                }
                long nanos = pauses.nextNanos(false);
                state = "starting: waits to try again after: " + failure.line();
                LOG.warn("{} | trying again in {} ms", failure.line(), TimeUnit.NANOSECONDS.toMillis(nanos));
                if (isStoppedWithin(nanos)) {
                    throw failure;
                }
                state = "starting: tries again after: " + failure.line();
            } finally {
                isStopped();
            }
        }
    }

    /** The wish may come as an interrupt beside the signal, which has then done its work, whether in time or too late. */
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
