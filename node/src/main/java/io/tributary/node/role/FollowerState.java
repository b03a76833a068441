package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.replicate.CopiedLog;
import io.tributary.dumper.replicate.FollowStage;
import io.tributary.dumper.replicate.ReadFrom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Dumper of a cluster while it copies one leader, until there is another or the call breaks. */
final class Following implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);

    private final DumperParts parts;
    private final Leader leader;
    private final Leadership leadership;
    private final Metrics metrics;
    private final CopiedLog log;
    private final StageRunner runner;
    private final Upkeep upkeep;
    private final Optional<ReaderDesk> desk; // where readers may come here
    private final FailureSink failure;
    private final Runnable listener = this::watch;

    /**
     * @param at where the leader is copied
     * @param shown acknowledged by leaders before
     */
    Following(
            DumperParts parts,
            Leader leader,
            HostPort at,
            BinlogPlace shown,
            Leadership leadership,
            FailureSink failure) {
        this.parts = parts;
        this.leader = leader;
        this.leadership = leadership;
        this.failure = failure;
        this.metrics = parts.metrics().child();
        this.log = new CopiedLog(Optional.empty(), leader.epoch(), shown);
        this.desk =
                parts.replicate().read() == ReadFrom.ANY ? Optional.of(parts.desk(true, metrics)) : Optional.empty();
        this.upkeep = parts.upkeep(true, metrics, failure);
        this.runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        runner.onOneThread(List.of(new FollowStage(
                parts.replicate(),
                parts.identity(),
                at,
                parts.node(),
                this::knownEpoch,
                parts.directory(),
                parts.binlog(),
                log,
                metrics,
                parts.clock())));
        LOG.info(
                "copies {} from {} at {}, who leads under epoch {}",
                parts.identity(),
                leader.node(),
                at,
                leader.epoch());
        runner.start();
        leadership.subscribe(listener);
        watch();
    }

    private long knownEpoch() {
        return Math.max(leader.epoch(), leadership.leader().map(Leader::epoch).orElse(0L));
    }

    private void watch() {
        if (!leadership.leader().equals(Optional.of(leader))) {
            failure.failed(new TributaryException(
                    ErrorCode.EPOCH_OVER, leader.node() + " leads no more under epoch " + leader.epoch()));
        }
    }

    /** Keeps up what the leader has acknowledged, and opens for readers, where they may read anywhere, once there is something to read. */
    void look() {
        log.files().filter(BinlogFiles::isReadable).ifPresent(upkeep::keep);
        desk.filter(closed -> !closed.isOpen())
                .ifPresent(closed -> log.files()
                        .ifPresent(files -> closed.open(files, parts.binlog().version())));
    }

    /** When the leader's newest message came, ns; empty where it has not answered. */
    OptionalLong heardNanos() {
        return log.heardNanos();
    }

    /** Grows with what is copied, from file to file too. */
    long reached() {
        LogPosition position = log.position();
        return (long) position.file() << Integer.SIZE | position.offset();
    }

    CopiedLog log() {
        return log;
    }

    Optional<ReaderDesk> desk() {
        return desk;
    }

    void addTo(Map<String, String> facts) {
        facts.put("state.in.cluster", "follows");
        facts.put("epoch", Long.toString(leader.epoch()));
        facts.put("leader", leader.node());
        facts.put("copied", log.position().file() + ":" + log.position().offset());
        facts.put("behind.bytes", Long.toString(log.behindBytes()));
        log.files().filter(BinlogFiles::isReadable).ifPresent(files -> {
            DurableEnd end = files.durableEnd();
            facts.put("server.uuid", files.serverUuid().toString());
            facts.put("binlog", end.file() + ":" + end.offset());
            facts.put("gtid.executed", files.executed().line());
        });
        desk.ifPresent(open -> open.addTo(facts));
    }

    @Override
    public void close() {
        leadership.unsubscribe(listener);
        desk.ifPresent(ReaderDesk::close);
        upkeep.close();
        runner.close();
        metrics.close();
    }
}
