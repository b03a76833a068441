package io.tributary.transmitter;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Token;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The source of a relay's streams: it builds a new pipeline for each stream, which gives the merged tokens of the relay's shards. */
public interface TokenSource {
    /**
     * The point at which a pipeline begins.
     *
     * @param cut has the shards to merge, which are some or all of the relay's; the shard of a token is an index into it
     * @param hidden the tables of online schema change tools that are known at the cut, by the name of the shard
     */
    record Start(Cut cut, Map<String, List<HiddenTable>> hidden) {}

    /** The shards whose tokens the relay can merge; read for each stream. */
    Set<String> shards();

    /** The keys that determine the content of a token, as text; the Task above must have the same values. */
    String settings();

    /**
     * Builds and starts a pipeline that continues after a cut; may block. Calls do not overlap, and each call follows the end of the pipeline
     * of the previous stream.
     *
     * @param start the point at which the pipeline begins
     * @param demand requests for rounds, which are sent to the Task above
     * @param sink receives the merged tokens of the pipeline
     * @param sender empties the sink; the pipeline runs it as one of its stages, closes it with them, and closes it once more when all are
     *     closed: then no payload is left in the sink
     * @param failure notified when the pipeline has failed, possibly before this method returns
     * @throws TributaryException if no pipeline can be built; the Task above receives the error
     */
    StreamSource.Running open(
            Start start, RoundRequest demand, Outlet<Token> sink, Stage sender, StreamSource.Failure failure);
}
