package io.tributary.node.role;

import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.replicate.FollowerCopy;
import io.tributary.dumper.replicate.LeadStage;
import io.tributary.dumper.replicate.LogIdentity;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.replicate.ReplicateServer;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Dumper as its followers' leader, for one reign: it outlives the pipelines that write. */
final class Leading implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leading.class);

    private final LeadStage.Reign reign;
    private final BinlogFiles files;
    private final Metrics metrics;
    private final LeadStage stage;
    private final StageRunner runner;
    private final ReplicateServer server;
    private volatile boolean hasFailed;

    /**
     * Takes followers from now on.
     *
     * @param metrics closed with it
     * @param failure told when it cannot go on
     * @throws TributaryException ADDRESS_UNUSABLE; STREAM_BROKEN where the files of {@code grpc.tls.*} cannot be used now
     */
    Leading(
            ReplicateConfig config,
            LogIdentity identity,
            LeadStage.Reign reign,
            BinlogFiles files,
            Metrics metrics,
            Clock clock,
            FailureSink failure) {
        this.reign = reign;
        this.files = files;
        this.metrics = metrics;
        this.stage = new LeadStage(config, identity, reign, files, metrics, clock);
        this.runner = new StageRunner((failed, cause) -> {
            hasFailed = true;
            failure.failed(Failures.of(failed.name(), cause));
        });
        this.server = listening(config, stage, metrics);
        runner.onOneThread(List.of(stage));
        runner.start();
        LOG.info(
                "leads {} under epoch {} on {}; {} follower(s) have to have what readers see",
                identity,
                reign.epoch(),
                config.listen(),
                reign.needed());
    }

    /** Where that fails its metrics go: those of the next one would count for nothing beside them. */
    private static ReplicateServer listening(ReplicateConfig config, LeadStage stage, Metrics metrics) {
        try {
            return new ReplicateServer(config, stage);
        } catch (TributaryException e) {
            metrics.close();
            throw e;
        }
    }

    long epoch() {
        return reign.epoch();
    }

    boolean hasFailed() {
        return hasFailed;
    }

    /** As {@link LeadStage#silentNanos}. */
    long silentNanos() {
        return stage.silentNanos();
    }

    /** Who copies now. */
    List<FollowerCopy> followers() {
        return stage.followers();
    }

    /** Adds who copies, and what readers wait for. */
    void addTo(Map<String, String> facts) {
        DurableEnd written = files.writtenEnd();
        facts.put("leads", "epoch " + reign.epoch());
        facts.put("written", written.file() + ":" + written.offset());
        followers()
                .forEach(each ->
                        facts.put("follower." + each.member(), each.place().toString()));
        long waiting = stage.waitingBytes();
        if (reign.needed() > 0 && waiting > 0) {
            facts.put(
                    "readers.wait",
                    "for " + reign.needed() + " follower(s) to acknowledge " + waiting + " bytes; "
                            + followers().size() + " copy now (dumper.ack)");
        }
    }

    @Override
    public void close() {
        server.close();
        runner.close();
        metrics.close();
    }
}
