package io.tributary.node.role;

import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.dumper.Recovered;
import io.tributary.node.admin.CutFacts;
import io.tributary.node.cluster.Reign;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.StreamStart;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.transmitter.TransmitReceiver;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a leader takes from one Task, until either fails: the stream, and the pipeline that writes it. */
final class TaskStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskStream.class);

    private final CutWatch cuts;
    private final WritePipeline write;
    private final StageRunner runner;
    private final Metrics metrics;

    /**
     * @param recovered where the files end, from where the Task goes on
     * @param durableCut number of the newest cut that readers see
     * @param metrics of its own
     * @param failure told once, whatever ends it
     */
    TaskStream(
            DumperParts parts,
            Reign reign,
            Recovered recovered,
            HostPort task,
            LongSupplier durableCut,
            Metrics metrics,
            FailureSink failure) {
        this.metrics = metrics;
        TransmitConfig transmit = parts.config().get(TransmitConfig.class).withTask(task);
        StreamIdentity stream = new StreamIdentity(parts.identity().cluster(), transmit.stream());
        LOG.info("takes {} from the Task at {} under epoch {}", stream, task, reign.epoch());
        Link<Chunk> chunks = ChunkLink.of(transmit.credit().bytes(), metrics, parts.clock());
        TransmitReceiver receiver = new TransmitReceiver(
                transmit,
                stream,
                reign.epoch(),
                new StreamStart(
                        Optional.of(recovered.cut()),
                        () -> parts.directory().journal().snapshot()),
                chunks,
                durableCut);
        this.cuts = new CutWatch(chunks, recovered.resume());
        this.write = new WritePipeline(
                parts.binlog(),
                parts.directory(),
                recovered,
                cuts,
                reign.lease(),
                parts.backup(),
                metrics.child(),
                parts.clock());
        this.runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        write.planned(parts.config().get(PipelineConfig.class).plan())
                .alone(receiver)
                .runOn(runner);
    }

    void start() {
        runner.start();
    }

    /** How many chunks it has brought. */
    long chunks() {
        return cuts.taken();
    }

    /** As {@link WritePipeline#diskNanos}. */
    long diskNanos() {
        return write.diskNanos();
    }

    void addTo(Map<String, String> facts) {
        cuts.durable().ifPresent(cut -> new CutFacts(cut).addTo(facts));
    }

    @Override
    public void close() {
        runner.close();
        write.close();
        metrics.close();
    }
}
