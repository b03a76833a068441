package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.backup.BackupTurn;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.EmbeddedCoordinator;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.cluster.ResignPolicy;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.serve.statement.NodeTables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A leader without followers, in a cluster whose three Dumpers are all members. */
@Timeout(60)
class LeaderResignerTest {
    private static final Quorum QUORUM = new Quorum(3, Acknowledgement.MAJORITY);
    private static final Duration LEASE = Duration.ofHours(1);

    private final EmbeddedCoordinator coordinator = new EmbeddedCoordinator(Clock.SYSTEM);
    private final List<ClusterMember> members =
            List.of("a", "b", "c").stream().map(LeaderResignerTest::dumper).toList();

    @TempDir
    private Path folder;

    private static ClusterMember dumper(String name) {
        return new ClusterMember(
                name,
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of(),
                0);
    }

    private Config config() {
        return new ConfigReader(StandaloneStateTest.KEYS)
                .read(
                        "test",
                        List.of(
                                "binlog.directory = " + folder.resolve("binlog"),
                                "dumper.listen = 127.0.0.1:0",
                                "serve.listen = 127.0.0.1:0",
                                "serve.password = p"),
                        Map.of());
    }

    private LeaderResigner resigner(Duration timeout) {
        ResignPolicy resignation = new ResignPolicy("a", QUORUM, () -> members, timeout, Clock.SYSTEM);
        return new LeaderResigner(coordinator, resignation, () -> 0, LEASE, Clock.SYSTEM);
    }

    private LeaderTerm elected() {
        coordinator.join(members.get(0));
        return coordinator.campaign(LogPosition.NOTHING, "copy", Duration.ZERO).orElseThrow();
    }

    @Test
    void othersCanBeElectedWhileItsOwnThreadWaitsForADisk() throws Exception {
        Config config = config();
        try (Metrics metrics = new Metrics();
                NodeBackup backup = new NodeBackup(config, metrics, Clock.SYSTEM, new Startup(new StopSignal()));
                BinlogDirectory directory = BinlogDirectory.open(config.get(BinlogConfig.class), Clock.SYSTEM)) {
            DumperServices services = new DumperServices(
                    config,
                    () -> config,
                    "a",
                    new LogIdentity("c", "binlog"),
                    directory,
                    backup,
                    BackupTurn.ALWAYS,
                    NodeTables.NONE,
                    metrics,
                    Clock.SYSTEM);
            LeaderResigner resigner = resigner(Duration.ofMillis(100));
            resigner.leads();
            try (LeaderState leaderState = new LeaderState(services, elected(), QUORUM, () -> members, resigner)) {
                CompletableFuture<TributaryException> failed = new CompletableFuture<>();
                assertThrows(
                        TributaryException.class,
                        () -> leaderState.write(LeaderResignerTest::noTask, failed::complete));
                assertEquals(
                        ErrorCode.EPOCH_OVER,
                        failed.get(30, TimeUnit.SECONDS).code(),
                        "it resigns on its own thread; this one does nothing");
                assertEquals(Optional.empty(), coordinator.readLeader(), "others do not wait until it has ended");
                assertFalse(leaderState.holds());
                assertFalse(resigner.mayBeCandidate());
            }
        }
    }

    private static HostPort noTask() {
        throw new TributaryException(ErrorCode.STREAM_BROKEN, "there is no Task");
    }
}
