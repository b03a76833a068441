package io.tributary.node.task;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.merger.MergeLinks;
import io.tributary.merger.MergeTree;
import io.tributary.node.process.Failures;
import io.tributary.node.process.PipelineConfig;
import io.tributary.node.process.ThreadPlan;
import io.tributary.store.PayloadStore;
import io.tributary.transmitter.StreamSource;
import io.tributary.transmitter.TokenSource;
import java.util.List;

/** Pipeline of a relay: extracts and merges for the Task above. Runs once, from one cut until it is closed or fails. */
public final class RelayPipeline implements StreamSource.Running {
    private final Metrics metrics;
    private final PayloadStore store;
    private final StageRunner runner;
    private final Stage sender;
    private final ShardReaders readers;
    private volatile boolean isClosed;

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
     * @param start where to resume; a token's shard is its index in the cut
     * @param roundRequest receives the requests for rounds; the Task above writes the rounds
     */
    public static RelayPipeline start(
            TaskSettings settings,
            PipelineEnvironment environment,
            TokenSource.Start start,
            RoundRequest roundRequest,
            TokenSink sink) {
        PipelineEnvironment own = environment.withOwnMetrics();
        Metrics metrics = own.metrics();
        PayloadStore store = null;
        RelayPipeline pipeline = null;
        try {
            store = new PayloadStore(settings.store(), metrics);
            StageRunner runner =
                    new StageRunner((stage, cause) -> sink.failure().failed(Failures.of(stage.name(), cause)));
            PipelineConfig links = settings.links();
            ThreadPlan threads = links.plan();
            TokenSources sources = new TokenSources(settings, own, start, store, roundRequest);
            MergeTree merge = MergeTree.of(
                    sources.plan(threads),
                    sink.tokens(),
                    new MergeLinks(links.fanIn(), links.tokens(), own.clock()),
                    roundRequest,
                    metrics);
            store.mover().ifPresent(threads::alone);
            threads.spread(merge.lower())
                    .together(List.of(merge.root(), sink.sender()))
                    .runOn(runner);
            pipeline = new RelayPipeline(metrics, store, runner, sink.sender(), sources.readers());
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

    /** The readers of the shards that this node reads. */
    public ShardReaders readers() {
        return readers;
    }

    /** Whether it was not closed yet; any thread. */
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
        runner.close();
        sender.close(); // again: a merger on its own thread may have put tokens after the sender was closed
        readers.close();
        store.close();
        metrics.close();
    }
}
