package io.tributary.node.reader;

import io.tributary.replay.session.Peer;
import java.time.Duration;
import java.util.concurrent.ExecutorService;

/** What a role does with the stream that it reads. Any thread, except {@link #run}. */
public interface ReaderWork {
    /** The nodes that are read, by the keys as they are now. */
    ReadNodes nodes();

    /** Longest pause after an error, by the keys as they are now. */
    Duration retry();

    /** Prepares the next run with the keys as they are now. */
    void prepare();

    /**
     * Reads and works until an error or an interrupt.
     *
     * @param threads for the parts of this run; they are interrupted when it ends
     * @throws io.tributary.common.error.TributaryException what ends the run
     */
    void run(Peer node, ExecutorService threads);

    /** How far the newest run is; {@link ReaderPlace#NONE} before the first one. */
    ReaderPlace place();

    /** Transactions that all runs have finished. */
    long transactions();
}
