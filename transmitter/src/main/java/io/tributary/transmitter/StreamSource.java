package io.tributary.transmitter;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.store.JournalMap;
import java.util.Optional;

/** The source of a Task's streams: it builds a new pipeline from the shards for each stream. */
public interface StreamSource {
    /**
     * Builds and starts a pipeline that continues after a cut; may block. Calls do not overlap, and each call follows the end of the pipeline
     * of the previous stream.
     *
     * @param resume the Dumper's last durable cut; empty = from the start of the shards
     * @param journal the journal at that cut; the pipeline may change it until the pipeline is closed; then the caller closes the journal
     * @param sink receives the pipeline's chunks, numbered from 1
     * @param sender empties the sink; the pipeline runs it as one of its stages, on its own thread, and closes it with them
     * @param dumper notified when the pipeline has failed, possibly before this method returns
     * @throws TributaryException if no pipeline can be built; the Dumper receives the error
     */
    Running open(Optional<Cut> resume, JournalMap journal, Outlet<Chunk> sink, Stage sender, Dumper dumper);

    /**
     * The newest epoch that any leader has had; read again on each call, not cached. A stream of a newer epoch is refused unless TLS proves
     * that the caller is a node. Called from any thread, also concurrently; may block.
     *
     * @return unsigned; 0 = none, also without a cluster
     * @throws TributaryException if it cannot be read now; the stream is then refused
     */
    default long newestEpoch() {
        return 0;
    }

    /** An empty map for the journal of a stream that will be opened; the map of the previous stream has been closed. */
    default JournalMap journal() {
        return JournalMap.onHeap();
    }

    /** A running pipeline. */
    interface Running extends AutoCloseable {
        /** Ends the pipeline; returns when all of its stages are closed. Called once, also after a failure. */
        @Override
        void close();
    }

    /** The receiver of the chunks of one stream. */
    interface Dumper extends Failure {
        /** Number of the newest cut that it has reported as durable, 0 before that; any thread. */
        long durableCut();
    }

    /** The listener that a pipeline notifies of its failure. */
    interface Failure {
        /** Called from any thread, at most once; returns at once. The receiver gets the error, and the pipeline is closed soon after. */
        void failed(TributaryException cause);
    }
}
