package io.tributary.common.pipeline;

/**
 * Wakes the thread that has looked somewhere in vain, once there is something: one for each place where a stage looks, kept by the
 * place itself, so that stages know nothing of it. Who looked last is woken, once, and looks again; what is no thread of a
 * {@link StageRunner} is not.
 *
 * <p>While that thread is awake a ring costs two volatile reads and no fence: {@link StageThread} tells why nothing is missed. Where a
 * ring is forgotten, the look comes later, when {@link Stage#restNanos()} has passed.
 */
public final class Bell {
    private volatile StageThread listener;

    /** The thread that calls has looked in vain; to be called by each look that finds nothing. */
    public void listen() {
        Thread caller = Thread.currentThread();
        if (caller != listener && caller instanceof StageThread stages) {
            listener = stages;
        }
    }

    /** There is something now, which can be seen already; any thread. */
    public void ring() {
        StageThread sleeper = listener;
        if (sleeper != null && sleeper.isAsleep()) {
            listener = null; // it listens again where it looks in vain again
            sleeper.wake();
        }
    }
}
