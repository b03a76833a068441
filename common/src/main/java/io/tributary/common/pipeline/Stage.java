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
     * {@link #doWork()}, right before it sleeps. It is called sooner when a place where it looked in vain has something ({@link Bell}), or
     * room, and may be so for no reason. A stage that waits for what rings no bell says {@link #UNTOLD_REST_NANOS}, one that waits for a time
     * how far that is.
     */
    default long restNanos() {
        return LONGEST_REST_NANOS;
    }

    /** Between two looks for what is told of, ns: what a bell that does not ring would cost. */
    long LONGEST_REST_NANOS = 100_000_000;

    /** Between two looks for what nobody tells of, ns. */
    long UNTOLD_REST_NANOS = 1_000_000;

    /** Gives back what the stage holds; called once, by the thread that called {@link #doWork()}. */
    @Override
    void close();
}
