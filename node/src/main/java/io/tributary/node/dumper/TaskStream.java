package io.tributary.node.dumper;

import io.tributary.binlog.Recovered;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.process.CutWatch;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.process.PipelineConfig;
import io.tributary.node.status.CutStatus;
import io.tributary.transmitter.RequestedStream;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.StreamStart;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.transmitter.TransmitReceiver;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stream of a leader from one Task, and the pipeline that writes it, until either fails. */
final class TaskStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskStream.class);

    private final CutWatch cuts;
    private final WritePipeline write;
    private final StageRunner runner;
    private final Metrics metrics;

    /**
     * @param services with metrics that are owned: closed with this object
     * @param recovered end of the files, after which the Task resumes
     * @param failure notified once, for any failure
     */
    TaskStream(DumperServices services, LeaderTerm term, Recovered recovered, HostPort task, FailureSink failure) {
        this.metrics = services.metrics();
        TransmitConfig transmit = services.config().get(TransmitConfig.class).withTask(task);
        StreamIdentity stream = new StreamIdentity(services.identity().cluster(), transmit.stream());
        LOG.info("stream from task starts: stream=\"{}\" task={} epoch={}", stream, task, term.epoch());
        Link<Chunk> chunks = ChunkLink.of(transmit.limits().credit().bytes(), metrics, services.clock());
        TransmitReceiver receiver = new TransmitReceiver(
                transmit,
                new RequestedStream(
                        stream,
                        term.epoch(),
                        new StreamStart(
                                Optional.of(recovered.cut()),
                                () -> services.directory().journal().snapshot())),
                chunks,
                () -> recovered.files().durableEnd().cut());
        this.cuts = new CutWatch(chunks, recovered.resume());
        this.write = new WritePipeline(
                new BinlogStart(
                        BinlogDisk.of(services.directory(), services.binlog(), services.clock()),
                        recovered,
                        term.lease(),
                        FailPoint.NONE),
                cuts,
                services.backup(),
                metrics.child());
        this.runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        write.planned(services.config().get(PipelineConfig.class).plan())
                .alone(receiver)
                .runOn(runner);
    }

    void start() {
        runner.start();
    }

    /** Number of chunks that it has received. */
    long chunks() {
        return cuts.passed();
    }

    /** As {@link WritePipeline#diskNanos}. */
    long diskNanos() {
        return write.diskNanos();
    }

    /** The newest durable cut; empty before the first. */
    Optional<CutStatus> status() {
        return cuts.durable().map(CutStatus::of);
    }

    @Override
    public void close() {
        runner.close();
        write.close();
        metrics.close();
    }
}
