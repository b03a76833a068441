package io.tributary.common.cluster;

import java.util.Optional;

/** The current leader of the Dumpers, as far as this node knows it. Any thread. */
public interface Leadership {
    /** The newest known leader; empty while there is none. It may be out of date: a caller sends the epoch with each request. */
    Optional<Leader> leader();

    /**
     * Notifies of each change of {@link #leader()}, on a thread of the coordinator: the listener must be quick, must not block or throw, and
     * may be called more often than the leader changes. To miss no change, subscribe first and read {@link #leader()} afterwards.
     */
    void subscribe(Runnable listener);

    void unsubscribe(Runnable listener);
}
