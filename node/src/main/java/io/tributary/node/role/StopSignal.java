package io.tributary.node.role;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The wish that the node ends; given once, by any thread. */
public final class StopSignal {
    private final CountDownLatch wish = new CountDownLatch(1);
    private Runnable breakOff; // under this object's monitor

    /** Gives the wish, and breaks off what would hold it up. */
    public synchronized void request() {
        wish.countDown();
        if (breakOff != null) {
            breakOff.run();
        }
    }

    /** Work that may block for long, and fails soon after it is broken off. */
    interface Work<T, X extends Exception> {
        T run() throws X;
    }

    /**
     * Does work that cannot look at this signal itself.
     *
     * @param breaker makes the work fail; run when the wish is given meanwhile, or was before
     */
    <T, X extends Exception> T during(Runnable breaker, Work<T, X> work) throws X {
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
        return wish.getCount() == 0;
    }

    /**
     * Waits for the wish.
     *
     * @param nanos how long at most
     * @return whether it was given
     */
    public boolean await(long nanos) throws InterruptedException {
        return wish.await(nanos, TimeUnit.NANOSECONDS);
    }
}
