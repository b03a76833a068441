package io.tributary.common.cluster;

import java.util.Optional;

/** Who leads the Dumpers, as far as is known now. Any thread. */
public interface Leadership {
    /** The newest leader that is known; empty while there is none. What is known may be old: a caller shows the epoch with what it does. */
    Optional<Leader> leader();

    /**
     * Tells of each change of {@link #leader()}, on a thread of the coordinator's: the listener must be quick, must not block or throw, and
     * may be told more often. To miss nothing, subscribe first and then look.
     */
    void subscribe(Runnable listener);

    void unsubscribe(Runnable listener);
}
