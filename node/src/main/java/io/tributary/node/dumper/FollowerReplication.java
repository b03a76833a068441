package io.tributary.node.dumper;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.replicate.FollowerCopy;
import io.tributary.binlog.replicate.LeadStage;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.binlog.replicate.ReplicateServer;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.status.ReplicationStatus;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replication from a leader to its followers during one leader term. It outlives the pipelines that write. */
final class FollowerReplication implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerReplication.class);

    private final LeadStage.LeaderSettings term;
    private final BinlogFiles files;
    private final Metrics metrics;
    private final LeadStage stage;
    private final StageRunner runner;
    private final ReplicateServer server;
    private volatile boolean hasFailed;

    /**
     * Accepts followers from now on.
     *
     * @param metrics owned: closed with this object
     * @param failure notified when it cannot continue
     * @throws TributaryException ADDRESS_UNUSABLE; STREAM_BROKEN when the files of {@code grpc.tls.*} cannot be used now
     */
    FollowerReplication(ReplicateConfig config, LeaderTermLog log, Metrics metrics, Clock clock, FailureSink failure) {
        this.term = log.term();
        this.files = log.log().files();
        this.metrics = metrics;
        this.stage = new LeadStage(config.transport(), log.log(), term, metrics, clock);
        this.runner = new StageRunner((failed, cause) -> {
            hasFailed = true;
            failure.failed(Failures.of(failed.name(), cause));
        });
        this.server = listen(config, stage, metrics);
        runner.onOneThread(List.of(stage));
        runner.start();
        LOG.info(
                "replication to followers starts: log=\"{}\" epoch={} listen={} followers.needed={}",
                log.log().identity(),
                term.epoch(),
                config.listen(),
                term.needed());
    }

    /** Starts the server. On a failure it closes the metrics, which would otherwise hide those of the next attempt. */
    private static ReplicateServer listen(ReplicateConfig config, LeadStage stage, Metrics metrics) {
        try {
            return new ReplicateServer(config, stage);
        } catch (TributaryException e) {
            metrics.close();
            throw e;
        }
    }

    long epoch() {
        return term.epoch();
    }

    boolean hasFailed() {
        return hasFailed;
    }

    /** As {@link LeadStage#silentNanos}. */
    long silentNanos() {
        return stage.silentNanos();
    }

    /** The followers that copy now. */
    List<FollowerCopy> followers() {
        return stage.followers();
    }

    /** The followers, and the data that readers wait for. */
    ReplicationStatus status() {
        return new ReplicationStatus(
                term.epoch(), files.writtenEnd(), followers(), term.needed(), stage.waitingBytes());
    }

    @Override
    public void close() {
        server.close();
        runner.close();
        metrics.close();
    }
}
