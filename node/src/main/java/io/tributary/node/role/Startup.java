package io.tributary.node.role;

import io.tributary.common.error.TributaryException;
import java.io.IOException;
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

    /** Something of which the rest of the start has to wait for the end. */
    interface Step {
        void run() throws IOException;
    }

    /** Whether a failure may pass. */
    interface MayPass {
        boolean test(TributaryException failure);
    }

    /**
     * Does a step of the start, again and again while it fails by what may pass, and says so.
     *
     * @param breaker breaks it off, as in {@link StopSignal#during}
     * @throws TributaryException what it failed by last, where the node is to stop; what does not pass
     */
    void patiently(Step step, Runnable breaker, MayPass mayPass, Pauses pauses) throws IOException {
        for (TributaryException failure = attempt(step, breaker); failure != null; failure = attempt(step, breaker)) {
            if (!mayPass.test(failure) || stop.isRequested()) {
                throw failure;
            }
            long nanos = pauses.nextNanos(false);
            state = "starting: waits to try again after: " + failure.line();
            LOG.warn("{} | trying again in {} ms", failure.line(), TimeUnit.NANOSECONDS.toMillis(nanos));
            if (isStoppedWithin(nanos)) {
                throw failure;
            }
            state = "starting: tries again after: " + failure.line();
        }
        state = "starting";
    }

    private TributaryException attempt(Step step, Runnable breaker) throws IOException {
        IOException[] refused = new IOException[1];
        TributaryException failure = stop.during(breaker, () -> {
            try {
                step.run();
                return null;
            } catch (TributaryException e) {
                return e;
            } catch (IOException e) {
                refused[0] = e;
                return null;
            }
        });
        if (refused[0] != null) {
            throw refused[0];
        }
        return failure;
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
