package io.tributary.node.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Signal that the node must stop; requested once, by any thread. */
public final class StopSignal {
    private final CountDownLatch requested = new CountDownLatch(1);
    private Runnable breakOff; // under this object's monitor

    /** Requests the stop, and aborts blocking work. */
    public synchronized void request() {
        requested.countDown();
        if (breakOff != null) {
            breakOff.run();
        }
    }

    /** Work that may block for long, and fails soon after it is aborted. */
    public interface Work<T, X extends Exception> {
        T run() throws X;
    }

    /**
     * Runs work that cannot check this signal itself.
     *
     * @param breaker makes the work fail; called when the stop is requested during the work, or was requested before
     */
    public <T, X extends Exception> T during(Runnable breaker, Work<T, X> work) throws X {
        synchronized (this) {
            breakOff = breaker;
            if (isRequested()) {
                breaker.run();
            }
        }
        try {
            return work.run();
        } finally {
            synchronized (this) {
                breakOff = null;
            }
        }
    }

    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /**
     * Waits for the request.
     *
     * @param nanos how long at most
     * @return whether the stop was requested
     */
    public boolean await(long nanos) throws InterruptedException {
        return requested.await(nanos, TimeUnit.NANOSECONDS);
    }
}
