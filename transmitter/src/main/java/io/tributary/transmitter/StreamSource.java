package io.tributary.transmitter;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.store.JournalMap;
import java.util.Optional;

/** What a Task has to offer to a stream: a pipeline from the shards, built anew for each stream. */
public interface StreamSource {
    /**
     * Builds and starts a pipeline that goes on behind a cut; may block meanwhile. One call at a time, and only after the pipeline
     * of the stream before has been closed.
     *
     * @param resume the Dumper's last durable cut; empty = from the shards' start
     * @param journal as it is at that cut; the pipeline may change it until it is closed; then the caller closes it
     * @param sink where the pipeline puts its chunks, numbered from 1
     * @param sender empties the sink; the pipeline runs it among its own stages, on a thread of its own, and closes it with them
     * @param dumper to be told when the pipeline has failed, also before this returns
     * @throws TributaryException when no pipeline can be built; the Dumper is told
     */
    Running open(Optional<Cut> resume, JournalMap journal, Outlet<Chunk> sink, Stage sender, Dumper dumper);

    /**
     * The newest term that a leader was ever given, asked for and not remembered. A stream of a newer one is refused, unless TLS proves that
     * the caller is a node. Any thread, several at once; may block.
     *
     * @return unsigned; 0 = none, as without a cluster
     * @throws TributaryException when it cannot be known now; the stream is refused then
     */
    default long newestTerm() {
        return 0;
    }

    /** An empty map for the journal of a stream, before it is opened; the one of the stream before has been closed. */
    default JournalMap journal() {
        return JournalMap.onHeap();
    }

    /** A pipeline that runs. */
    interface Running extends AutoCloseable {
        /** Ends it, and returns when all of its stages are closed. Called once, also after it failed. */
        @Override
        void close();
    }

    /** Who takes the chunks of one stream. */
    interface Dumper extends Failure {
        /** Number of the newest cut that it has said is durable, 0 before that; any thread. */
        long durableCut();
    }

    /** Where a pipeline tells that it has failed. */
    interface Failure {
        /** From any thread, at most once; returns at once. The receiver is told, and the pipeline is closed soon after. */
        void failed(TributaryException cause);
    }
}
