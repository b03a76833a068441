package io.tributary.node.dumper;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.CountedVoters;
import io.tributary.binlog.replicate.FollowerCopy;
import io.tributary.binlog.replicate.LeadStage;
import io.tributary.binlog.replicate.LeaderLog;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.cluster.ResignPolicy;
import io.tributary.node.cluster.VoterRegistry;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.Failures;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.FilesStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** State of a Dumper of a cluster that leads: it renews its lease and serves followers and readers. It outlives the pipelines that write. */
final class LeaderState implements DumperState, AutoCloseable {
    private final DumperServices services;
    private final LeaderTerm term;
    private final Quorum quorum;
    private final Metrics metrics;
    private final StageRunner pulse;
    private final StageRunner voterRunner;
    private final CountedVoters countedVoters = CountedVoters.none();
    private final Members members;
    private final ReaderService readerService;
    private volatile BinlogFiles files; // null before the first recovery
    private final BackupRunner backupRunner;
    private volatile FollowerReplication replication; // null without followers, and before
    private volatile TaskStream newest; // null before the first
    private volatile FailureSink current = cause -> {};
    private volatile TributaryException broken; // null while everything that outlives the pipelines works

    /**
     * @param members the current members
     * @param resigner decides whether it resigns
     */
    LeaderState(DumperServices services, LeaderTerm term, Quorum quorum, Members members, LeaderResigner resigner) {
        this.services = services;
        this.members = members;
        this.term = term;
        this.quorum = quorum;
        this.metrics = services.metrics().child();
        this.backupRunner = services.backupRunner(false, metrics, this::failed);
        this.readerService = services.readerService(metrics);
        this.pulse = new StageRunner((stage, cause) -> fail(Failures.of(stage.name(), cause)));
        this.voterRunner = new StageRunner((stage, cause) -> fail(Failures.of(stage.name(), cause)));
        pulse.onOneThread(List.of(term.pulse(), new ResignCheck(term.epoch(), () -> resigner.resignIfNeeded(this))));
        pulse.start();
    }

    /** A part that outlives the pipelines has failed, possibly while no pipeline runs that could be notified. */
    private void failed(TributaryException cause) {
        if (cause.code().severity() == Severity.RETRY) {
            current.failed(cause);
        } else {
            fail(cause);
        }
    }

    private void fail(TributaryException cause) {
        broken = cause;
        current.failed(cause);
    }

    boolean holds() {
        return term.lease().holds();
    }

    long epoch() {
        return term.epoch();
    }

    /**
     * Recovers, accepts followers and readers, and writes what the Task sends after the recovered end.
     *
     * @param choice called last, for the Task: without one followers still receive all data, and readers can read
     */
    AutoCloseable write(Supplier<HostPort> choice, FailureSink failure) {
        current = failure;
        if (broken != null) {
            term.lease().end();
            throw broken;
        }
        if (replication != null && replication.hasFailed()) {
            term.lease().end();
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "leader of epoch " + term.epoch() + " resigns: replication to its followers has failed");
        }
        BinlogConfig binlog = services.binlog();
        Optional<HostPort> chosen = Optional.empty();
        if (files != null) { // without a Task the last file is not read again every second
            backupRunner.keep(files);
            chosen = Optional.of(choice.get());
        }
        Recovered recovered = recover(binlog);
        backupRunner.keep(files);
        readerService.open(files, false, binlog.version());
        HostPort task = chosen.orElseGet(choice);
        TaskStream stream = new TaskStream(services.withMetrics(metrics.child()), term, recovered, task, failure);
        newest = stream;
        stream.start();
        return stream;
    }

    /** Recovers the files; the first time it writes the first cut of this epoch. */
    private Recovered recover(BinlogConfig binlog) {
        if (files != null) {
            return Recovery.run(services.directory(), binlog, services.clock()).into(files);
        }
        long first = CutEpoch.of(term.epoch());
        Recovered recovered =
                Recovery.runForLeader(services.directory(), binlog, last -> Math.max(last, first), services.clock());
        files = recovered.files();
        boolean hasBegun = false;
        try {
            lead();
            hasBegun = true;
        } finally {
            if (!hasBegun) {
                term.lease().end(); // otherwise it would continue without followers
            }
        }
        return recovered;
    }

    /** Accepts followers; readers see only data that enough of them have. */
    private void lead() {
        FileOffset begins = FileOffset.of(files.writtenEnd());
        files.requireAcknowledgementOfAll();
        if (quorum.dumpers() > 1) {
            LeadStage.LeaderSettings settings = new LeadStage.LeaderSettings(
                    term.epoch(),
                    begins,
                    quorum.followers(),
                    countedVoters,
                    term.lease(),
                    quorum.followers() > 0 ? term.lease()::prove : asked -> {});
            replication = new FollowerReplication(
                    services.replicate(),
                    new LeaderTermLog(new LeaderLog(services.identity(), files), settings),
                    metrics.child(),
                    services.clock(),
                    cause -> current.failed(cause));
        }
        VoterRegistry.ReplicatedLog log = new VoterRegistry.ReplicatedLog(
                new FollowerCopy(services.node(), services.copyId(), begins),
                () -> replication == null ? List.of() : replication.followers(),
                () -> FileOffset.of(files.durableEnd()),
                files::requireNoAcknowledgement,
                countedVoters);
        voterRunner.onOneThread(List.of(new VoterRegistry(term, quorum, log, members, services.clock())));
        voterRunner.start();
    }

    /** Opens the server of readers once enough followers have data. */
    @Override
    public void poll() {
        BinlogFiles now = files;
        if (now != null && !readerService.isOpen()) {
            readerService.open(now, false, services.binlog().version());
        }
    }

    /** Number of chunks that the newest stream has received. */
    long chunks() {
        TaskStream stream = newest;
        return stream == null ? 0 : stream.chunks();
    }

    /** Position up to which readers may have read; {@link FileOffset#NONE} for nothing. */
    FileOffset readableEnd() {
        BinlogFiles now = files;
        return now == null || !now.isReadable() ? FileOffset.NONE : FileOffset.of(now.durableEnd());
    }

    /** Number of the newest cut that readers see. */
    @Override
    public long progress() {
        BinlogFiles now = files;
        return now == null ? 0 : now.durableEnd().cut();
    }

    @Override
    public Optional<ReaderService> readerService() {
        return Optional.of(readerService);
    }

    /**
     * Returns why it should resign; any thread.
     *
     * @param unreachedNanos for how long it has reached no Task
     */
    Optional<String> reason(ResignPolicy policy, long unreachedNanos) {
        FollowerReplication followed = replication;
        TaskStream stream = newest;
        return policy.reason(
                progress(),
                followed == null ? 0 : followed.silentNanos(),
                stream == null ? 0 : stream.diskNanos(),
                unreachedNanos,
                countedVoters.names());
    }

    @Override
    public Optional<DumperStatus> status() {
        return Optional.of(new DumperStatus.Leading(
                new Leader(services.node(), term.epoch()),
                term.lease().leftNanos() / 1_000_000,
                readerService.status(),
                Optional.ofNullable(files).map(FilesStatus::of),
                Optional.ofNullable(newest).flatMap(TaskStream::status),
                Optional.ofNullable(replication).map(FollowerReplication::status)));
    }

    /** Ends the lease: nothing is written or acknowledged after it. Called before close; any thread. */
    void endLease() {
        term.lease().end();
    }

    /** Disconnects readers, so that they find the next leader. Called before close; any thread. */
    void closeReaders() {
        readerService.end();
    }

    /** Ends everything that it started, and resigns; no pipeline may be writing. */
    @Override
    public void close() {
        term.lease().end();
        readerService.end(); // readers find the next leader
        if (replication != null) {
            replication.close();
        }
        voterRunner.close();
        pulse.close();
        term.close(); // before the reader threads end, so that the other Dumpers do not wait for them
        readerService.close();
        backupRunner.close();
        metrics.close();
    }
}
