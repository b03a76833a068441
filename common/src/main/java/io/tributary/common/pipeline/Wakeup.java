package io.tributary.common.pipeline;

/**
 * Wakes the thread that polled a source without success, as soon as the source has something: one for each source that a stage polls. The
 * source owns it, so that stages need not know it. It wakes the thread that polled last, once; that thread then polls again. It wakes
 * only threads of a {@link StageRunner}.
 *
 * <p>While that thread is awake, {@link #ring} costs two volatile reads and no fence: {@link StageThread} explains why nothing is missed.
 * If a ring is missing, the source is polled later, after {@link Stage#restNanos()}.
 */
public final class Wakeup {
    private volatile StageThread listener;

    /** Registers the calling thread, which polled without success; every unsuccessful poll must call it. */
    public void listen() {
        if (Thread.currentThread() instanceof StageThread caller) {
            listen(caller);
        }
    }

    void listen(StageThread poller) {
        if (poller != listener) {
            listener = poller;
        }
    }

    /** Wakes the registered thread because the source has something, which must already be visible; any thread. */
    public void ring() {
        StageThread sleeper = listener;
        if (sleeper != null && sleeper.isAsleep()) {
            listener = null; // it registers again after its next unsuccessful poll
            sleeper.wake();
        }
    }
}
