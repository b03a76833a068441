package io.tributary.node.dumper;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.CopiedLog;
import io.tributary.binlog.replicate.FollowStage;
import io.tributary.binlog.replicate.FollowedLeader;
import io.tributary.binlog.replicate.FollowerId;
import io.tributary.binlog.replicate.ReadFrom;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.status.CopyStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.FilesStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of a Dumper of a cluster that copies one leader, until there is another leader or the connection breaks. */
final class FollowerState implements DumperState, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerState.class);

    private final DumperServices services;
    private final Leader leader;
    private final Leadership leadership;
    private final Metrics metrics;
    private final CopiedLog log;
    private final StageRunner runner;
    private final BackupRunner backupRunner;
    private final Optional<ReaderService> readerService; // present if readers may connect to this node
    private final FailureSink failure;
    private final Runnable listener = this::checkLeader;

    /**
     * @param address the leader with its address for followers
     * @param readableEnd position that earlier leaders have acknowledged
     */
    FollowerState(
            DumperServices services,
            LeaderAddress address,
            FileOffset readableEnd,
            Leadership leadership,
            FailureSink failure) {
        HostPort at = address.at();
        this.services = services;
        this.leader = address.leader();
        this.leadership = leadership;
        this.failure = failure;
        this.metrics = services.metrics().child();
        this.log = new CopiedLog(Optional.empty(), leader.epoch(), readableEnd);
        this.readerService = services.replicate().read() == ReadFrom.ANY
                ? Optional.of(services.readerService(metrics))
                : Optional.empty();
        this.backupRunner = services.backupRunner(true, metrics, failure);
        this.runner = new StageRunner((stage, cause) -> failure.failed(Failures.of(stage.name(), cause)));
        runner.onOneThread(List.of(new FollowStage(
                FollowedLeader.at(at, this::knownEpoch, services.replicate().transport()),
                new FollowerId(services.identity(), services.node()),
                BinlogDisk.of(services.directory(), services.binlog(), services.clock()),
                log,
                metrics)));
        LOG.info(
                "copying starts: log=\"{}\" leader={} address={} epoch={}",
                services.identity(),
                leader.node(),
                at,
                leader.epoch());
        runner.start();
        leadership.subscribe(listener);
        checkLeader();
    }

    private long knownEpoch() {
        return Math.max(leader.epoch(), leadership.leader().map(Leader::epoch).orElse(0L));
    }

    private void checkLeader() {
        if (!leadership.leader().equals(Optional.of(leader))) {
            failure.failed(new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "term of leader " + leader.node() + " under epoch " + leader.epoch() + " is over"));
        }
    }

    /** Backs up and purges readable files, and opens the server of readers once there is data, if readers may connect to this node. */
    @Override
    public void poll() {
        log.files().filter(BinlogFiles::isReadable).ifPresent(backupRunner::keep);
        readerService
                .filter(closed -> !closed.isOpen())
                .ifPresent(closed -> log.files()
                        .ifPresent(files ->
                                closed.open(files, true, services.binlog().version())));
    }

    /** When the leader's newest message was received, ns; empty if it has not answered. */
    OptionalLong confirmedNanos() {
        return log.confirmedNanos();
    }

    /** A number that grows with the copied position, also from file to file. */
    @Override
    public long progress() {
        LogPosition position = log.position();
        return (long) position.file() << Integer.SIZE | position.offset();
    }

    CopiedLog log() {
        return log;
    }

    @Override
    public Optional<ReaderService> readerService() {
        return readerService;
    }

    @Override
    public Optional<DumperStatus> status() {
        return Optional.of(new DumperStatus.Following(
                leader,
                new CopyStatus(log.position(), log.behindBytes()),
                log.files().filter(BinlogFiles::isReadable).map(FilesStatus::withoutPurged),
                readerService.map(ReaderService::status)));
    }

    @Override
    public void close() {
        leadership.unsubscribe(listener);
        readerService.ifPresent(ReaderService::close);
        backupRunner.close();
        runner.close();
        metrics.close();
    }
}
