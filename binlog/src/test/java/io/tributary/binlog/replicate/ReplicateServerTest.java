package io.tributary.binlog.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leader and follower over gRPC on loopback. */
class ReplicateServerTest {
    @TempDir
    Path folder;

    private final Metrics metrics = new Metrics();
    private TestMember leader;
    private TestMember other;
    private ReplicateServer server;
    private int port;
    private BinlogDirectory directory;

    @BeforeEach
    void lead() throws Exception {
        leader = new TestMember(folder, "leader", 3000);
        other = new TestMember(folder, "other", 3000);
        leader.lead(3, 1, 1);
        for (int i = 0; i < 50; i++) {
            leader.write(5);
        }
        server = new ReplicateServer(TestMember.config(3000), leader.lead);
        port = server.port();
        directory = BinlogDirectory.open(other.settings.config(), Clock.SYSTEM);
    }

    @AfterEach
    void close() {
        directory.close();
        server.close();
        leader.close();
        metrics.close();
    }

    private FollowStage follow(String cluster, long epoch, CopiedLog log) {
        return new FollowStage(
                FollowedLeader.at(
                        new HostPort("127.0.0.1", port),
                        () -> epoch,
                        TestMember.config(3000).transport()),
                new FollowerId(new LogIdentity(cluster, "binlog"), "other"),
                BinlogDisk.of(directory, other.settings.config(), Clock.SYSTEM),
                log,
                metrics);
    }

    private void pump(FollowStage follower, BooleanSupplier done) throws Exception {
        long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!done.getAsBoolean()) {
            assertTrue(Clock.SYSTEM.nanoTime() < deadline, "the condition becomes true in time");
            leader.clock.advanceMillis(1);
            leader.lead.doWork();
            follower.doWork();
        }
    }

    @Test
    void copiesAllFilesAndContinuesAsTheyGrow() throws Exception {
        CopiedLog log = new CopiedLog(Optional.empty(), 0);
        BinlogFiles files = leader.dumper.files();
        try (FollowStage follower = follow("test", 0, log)) {
            for (int round = 0; round < 5; round++) {
                leader.write(5);
                FileOffset end = FileOffset.of(files.writtenEnd());
                pump(
                        follower,
                        () -> FileOffset.of(files.durableEnd()).equals(end)
                                && log.files()
                                        .filter(own ->
                                                FileOffset.of(own.durableEnd()).equals(end))
                                        .isPresent());
            }
        }
        assertEquals(3, log.epoch());
        assertTrue(
                leader.lead.followers().stream().anyMatch(each -> each.member().equals("other")));
        for (String name : Files.readAllLines(leader.folder().resolve("binlog.index"))) {
            assertEquals(
                    -1,
                    Files.mismatch(leader.folder().resolve(name), other.folder().resolve(name)),
                    name);
        }
    }

    @Test
    void aFollowerOfAnotherClusterIsRefusedWithAMessage() {
        try (FollowStage follower = follow("else", 0, new CopiedLog(Optional.empty(), 0))) {
            TributaryException failure = assertThrows(TributaryException.class, () -> pump(follower, () -> false));
            assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code(), failure.getMessage());
            assertTrue(failure.getMessage().contains("binlog binlog of cluster test"), failure.getMessage());
        }
    }

    @Test
    void aLeaderOfAnOldEpochIsRefused() {
        try (FollowStage follower = follow("test", 4, new CopiedLog(Optional.empty(), 0))) {
            TributaryException failure = assertThrows(TributaryException.class, () -> pump(follower, () -> false));
            assertEquals(ErrorCode.EPOCH_OVER, failure.code(), failure.getMessage());
        }
    }

    @Test
    void anUnreachableLeaderIsNamed() {
        server.close();
        try (FollowStage follower = follow("test", 0, new CopiedLog(Optional.empty(), 0))) {
            TributaryException failure = assertThrows(TributaryException.class, () -> pump(follower, () -> false));
            assertEquals(ErrorCode.STREAM_BROKEN, failure.code(), failure.getMessage());
            assertTrue(failure.getMessage().contains(":" + port), failure.getMessage());
        }
    }
}
