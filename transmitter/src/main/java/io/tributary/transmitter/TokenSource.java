package io.tributary.transmitter;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.Token;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a relay has to offer to a stream: the merged tokens of its shards, by a pipeline that is built anew for each stream. */
public interface TokenSource {
    /**
     * Where a pipeline begins.
     *
     * @param cut has the shards that are to be merged, some of those of the relay; a token's shard is its place in it
     * @param hidden what is known there of tables of online schema change tools, by the name of the shard
     */
    record Start(Cut cut, Map<String, List<HiddenTable>> hidden) {}

    /** The shards whose tokens it can merge; asked for each stream. */
    Set<String> shards();

    /** The keys that say what stands in a token, as text; the Task above must have them alike. */
    String settings();

    /**
     * Builds and starts a pipeline that goes on behind a cut; may block meanwhile. One call at a time, and only after the pipeline
     * of the stream before has been closed.
     *
     * @param start where it is to begin
     * @param demand wishes for rounds go to the Task above
     * @param sink where the pipeline puts its tokens, merged
     * @param sender empties the sink; the pipeline runs it among its own stages and closes it with them, and once more when all
     *     are closed: then no payload is left in the sink
     * @param failure to be told when the pipeline has failed, also before this returns
     * @throws TributaryException when no pipeline can be built; the Task above is told
     */
    StreamSource.Running open(
            Start start, RoundDemand demand, Outlet<Token> sink, Stage sender, StreamSource.Failure failure);
}
