package io.tributary.common.pipeline;

/** One step of the pipeline. It owns no thread and is always called by the same one. States: created, running, closed, each once. */
public interface Stage extends AutoCloseable {
    /** Short name for metrics, logs and thread names, such as {@code extract-s1}. */
    String name();

    /**
     * Does a bounded amount of work and never blocks; checks {@link Outlet#hasRoom()} of its outlets before it produces anything.
     *
     * @return the amount of work done; 0 lets the runner back off
     */
    int doWork() throws Exception;

    /**
     * The time in ns for which the stage need not be called if it has nothing to do; called by the thread that calls
     * {@link #doWork()}, directly before it sleeps. The stage is called earlier when a source that it polled without success has items
     * ({@link Wakeup}), or room, and possibly without a reason. A stage that waits for something without a wake-up returns
     * {@link #POLL_REST_NANOS}, one that waits for a time returns the time until then.
     */
    default long restNanos() {
        return LONGEST_REST_NANOS;
    }

    /** Time between two polls of a source with a wake-up, ns: the delay if a wake-up were missed. */
    long LONGEST_REST_NANOS = 100_000_000;

    /** Time between two polls of a source without a wake-up, ns. */
    long POLL_REST_NANOS = 1_000_000;

    /** Releases what the stage holds; called once, by the thread that called {@link #doWork()}. */
    @Override
    void close();
}
