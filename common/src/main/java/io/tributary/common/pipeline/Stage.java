package io.tributary.common.pipeline;

/** One step of the pipeline. It owns no thread and is always called by the same one. Life: made, running, closed, once. */
public interface Stage extends AutoCloseable {
    /** Short name for metrics, logs and thread names, such as {@code extract-s1}. */
    String name();

    /**
     * Does a bounded amount of work and never blocks; asks its outlets {@link Outlet#hasRoom()} before it makes anything.
     *
     * @return how much was done; 0 lets the runner back off
     */
    int doWork() throws Exception;

    /**
     * For how long the stage need not be called again when it has nothing to do, in ns; asked by the thread that calls
     * {@link #doWork()}, right before it pauses. A stage that says more than the usual pause wakes that thread itself
     * ({@link java.util.concurrent.locks.LockSupport#unpark}) when there is something to do; it may be called sooner all the same.
     */
    default long restNanos() {
        return USUAL_REST_NANOS;
    }

    /** The longest pause that a stage need not expect, ns. */
    long USUAL_REST_NANOS = 1_000_000;

    /** Gives back what the stage holds; called once, by the thread that called {@link #doWork()}. */
    @Override
    void close();
}
