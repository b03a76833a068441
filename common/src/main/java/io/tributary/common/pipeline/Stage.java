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

    /** Gives back what the stage holds; called once, by the thread that called {@link #doWork()}. */
    @Override
    void close();
}
