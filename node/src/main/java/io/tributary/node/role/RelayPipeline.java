package io.tributary.node.role;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Token;
import io.tributary.merger.MergeTree;
import io.tributary.store.PayloadStore;
import io.tributary.transmitter.StreamSource;
import io.tributary.transmitter.TokenSource;
import java.util.List;

/** Extract and merge alone, for the Task above: runs from one cut until it is closed or fails, once. */
final class RelayPipeline implements StreamSource.Running {
    private final Metrics metrics;
    private final PayloadStore store;
    private final StageRunner runner;
    private final Stage sender;
    private final ShardReaders readers;

    private RelayPipeline(Metrics metrics, PayloadStore store, StageRunner runner, Stage sender, ShardReaders readers) {
        this.metrics = metrics;
        this.store = store;
        this.runner = runner;
        this.sender = sender;
        this.readers = readers;
    }

    /**
     * Builds and starts.
     *
     * @param start where to go on; a token's shard is its place in its cut
     * @param demand takes the wishes for rounds, which are written elsewhere
     * @param sink takes the merged tokens
     * @param sender empties the sink
     * @param failure told at most once
     */
    static RelayPipeline start(
            TaskSettings settings,
            TaskPipeline.Surroundings around,
            TokenSource.Start start,
            RoundDemand demand,
            Outlet<Token> sink,
            Stage sender,
            FailureSink failure) {
        Metrics metrics = around.metrics().child();
        PayloadStore store = null;
        RelayPipeline pipeline = null;
        try {
            store = new PayloadStore(settings.store(), metrics);
            StageRunner runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
            PipelineConfig links = settings.links();
            Threads threads = links.plan();
            TokenSources sources = new TokenSources(
                    settings, around, start, settings.extractOrder(start.cut(), demand), store, demand, metrics);
            MergeTree merge = MergeTree.of(
                    "merge",
                    sources.plan(threads),
                    sink,
                    links.fanIn(),
                    links.tokens(),
                    demand,
                    metrics,
                    around.clock());
            store.mover().ifPresent(threads::alone);
            threads.spread(merge.lower())
                    .together(List.of(merge.root(), sender))
                    .runOn(runner);
            pipeline = new RelayPipeline(metrics, store, runner, sender, sources.readers());
            runner.start();
            return pipeline;
        } finally {
            if (pipeline == null) {
                if (store != null) {
                    store.close();
                }
                metrics.close();
            }
        }
    }

    /** Those who read the shards of this node itself. */
    ShardReaders readers() {
        return readers;
    }

    @Override
    public void close() {
        runner.close();
        sender.close(); // once more: on a thread of its own the merger may have put tokens after the sender was closed
        readers.close();
        store.close();
        metrics.close();
    }
}
