package io.tributary.binlog.replicate;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.ManualClock;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.binlog.write.CopyWriter;
import io.tributary.binlog.write.CrashingDisk;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.rpc.GrpcTlsConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** A Dumper of a cluster on one thread: down, leading, or following. Its disk may lose unsynced bytes. */
final class TestMember implements AutoCloseable {
    private static final LogIdentity IDENTITY = new LogIdentity("test", "binlog");
    static final Duration KEEP_ALIVE = Duration.ofSeconds(2);

    final String name;
    final BinlogSettings settings;
    final ManualClock clock = new ManualClock();
    private final CrashingDisk disk = new CrashingDisk();
    private final ReplicateConfig config;
    private final Metrics metrics = new Metrics();
    private BinlogFiles known; // while its process lives
    private long epoch; // the newest known epoch
    private FileOffset before = FileOffset.NONE;

    Dumper dumper; // while it leads
    LeadStage lead;
    TaskStream task;
    boolean hasLease;

    private BinlogDirectory directory; // while it follows
    CopiedLog log;
    FollowStage follow;
    TestWire wire;

    TestMember(Path folder, String name, int chunk) {
        this.name = name;
        this.settings = BinlogSettings.in(folder.resolve(name)).fileSize(6000).sync(BinlogSync.ALWAYS);
        this.config = config(chunk);
    }

    static ReplicateConfig config(int chunk) {
        return new ReplicateConfig(
                new HostPort("127.0.0.1", 0),
                new ReplicationTopology(1, Optional.empty(), Optional.empty(), Optional.empty()),
                ReadFrom.LEADER,
                new ReplicationTransport(
                        new ByteSize(chunk), new ByteSize(8L * chunk), KEEP_ALIVE, GrpcTlsConfig.NONE));
    }

    String shown() {
        return metrics.scrape();
    }

    Path folder() {
        return settings.folder();
    }

    boolean isDown() {
        return dumper == null && directory == null;
    }

    boolean leads() {
        return dumper != null;
    }

    /** The files that readers may read; empty while that is unknown. */
    Optional<BinlogFiles> readable() {
        Optional<BinlogFiles> files =
                leads() ? Optional.of(dumper.files()) : log == null ? Optional.empty() : log.files();
        return files.filter(BinlogFiles::isReadable);
    }

    /** Its position in an election; it must neither lead nor follow. */
    LogPosition position() {
        BinlogConfig binlog = settings.config();
        try (BinlogDirectory own = BinlogDirectory.open(binlog, clock);
                CopyWriter writer = new CopyWriter(
                        new BinlogDisk(own, binlog, disk, clock), Recovery.runForCopies(own, binlog, clock))) {
            return writer.position();
        }
    }

    /** Begins a leader term. */
    void lead(long newEpoch, int needed, long seed) {
        epoch = newEpoch;
        BinlogConfig binlog = settings.config();
        try (BinlogDirectory own = BinlogDirectory.open(binlog, clock)) {
            Recovery.runForLeader(own, binlog, last -> CutEpoch.of(newEpoch), clock);
        }
        dumper = new Dumper(settings, FailPoint.NONE, disk);
        BinlogFiles files = dumper.files();
        files.requireAcknowledgementOfAll();
        task = new TaskStream(seed, dumper.recovered.resume()).under(CutEpoch.of(newEpoch) + 1);
        hasLease = true;
        lead = new LeadStage(
                config.transport(),
                new LeaderLog(IDENTITY, files),
                new LeadStage.LeaderSettings(
                        newEpoch,
                        FileOffset.of(files.writtenEnd()),
                        needed,
                        CountedVoters.all(),
                        () -> hasLease,
                        answered -> {}),
                metrics.child(),
                clock);
    }

    void write(int transactions) throws Exception {
        clock.advanceMillis(300);
        dumper.put(task.batch(transactions));
        dumper.put(task.cut());
        dumper.run();
    }

    /** Begins to copy another member's files; its previous state must have ended. */
    void follow(TestMember leader, long newEpoch) {
        if (directory == null) {
            directory = BinlogDirectory.open(settings.config(), clock);
            log = new CopiedLog(Optional.ofNullable(known), epoch, before);
        }
        epoch = Math.max(epoch, newEpoch);
        endFollowing();
        wire = new TestWire();
        TestWire opened = wire;
        FollowedLeader followed = new FollowedLeader(new HostPort(leader.name, 1), () -> epoch, () -> {
            leader.lead.accept(opened.leaderEnd);
            return opened;
        });
        follow = new FollowStage(
                followed,
                new FollowerId(IDENTITY, name),
                new BinlogDisk(directory, settings.config(), disk, clock),
                log,
                metrics.child());
    }

    /** Ends the call, and stops to copy. */
    void endFollowing() {
        if (follow != null) {
            follow.close();
            follow = null;
            wire = null;
        }
    }

    /** Ends its role; its process and its readers continue. */
    void stepDown() {
        if (leads()) {
            known = dumper.files();
            lead.close();
            dumper.close();
            dumper = null;
            lead = null;
        }
        if (directory != null) {
            endFollowing();
            known = log.files().orElse(known);
            directory.close();
            directory = null;
            log = null;
        }
    }

    /** Closes the files of its readers; what was acknowledged is still known. */
    void closeReaders(FileOffset acknowledged) {
        stepDown();
        known = null;
        before = acknowledged;
    }

    /** The machine fails. */
    void crash(Random random) throws IOException {
        stepDown();
        known = null;
        epoch = 0;
        disk.crash(random);
    }

    @Override
    public void close() {
        stepDown();
        metrics.close();
    }
}
