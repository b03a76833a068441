package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.backup.BackupTurn;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.LogIdentity;
import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.node.cluster.EmbeddedCoordinator;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.cluster.ResignPolicy;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.ThreadPlan;
import io.tributary.node.status.StatusFacts;
import io.tributary.serve.statement.NodeTables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The exact lines of the status of a Dumper in each of its states. */
@Timeout(60)
class DumperStatusTest {
    private static final Quorum QUORUM = new Quorum(2, Acknowledgement.MAJORITY);
    private static final String SID = "00000000-0000-0001-0000-000000000002";

    private final Metrics metrics = new Metrics();

    @TempDir
    private Path folder;

    private Config config(String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "binlog.directory = " + folder.resolve("binlog"),
                "dumper.listen = 127.0.0.1:0",
                "serve.listen = 127.0.0.1:0",
                "serve.user = u",
                "serve.password = p"));
        lines.addAll(List.of(more));
        return new ConfigReader(StandaloneStateTest.KEYS).read("test", lines, Map.of());
    }

    /** The lines, without what differs from run to run. */
    private static String text(Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(fact -> fact.getKey() + " = " + fact.getValue())
                .collect(Collectors.joining("\n"))
                .replaceAll("server.uuid = [-0-9a-f]{36}", "server.uuid = UUID")
                .replaceAll("127.0.0.1:\\d+", "127.0.0.1:PORT")
                .replaceAll("lease.left.ms = \\d+", "lease.left.ms = MS");
    }

    private static String text(DumperState state) {
        return text(StatusFacts.of(List.copyOf(state.status().stream().toList())));
    }

    private StandaloneState standalone(Config config) {
        return new StandaloneState(config, NodeTables.NONE, metrics, Clock.SYSTEM, new Startup(new StopSignal()));
    }

    private static Cut.ShardCut shard(String name, String leftOut) {
        return new Cut.ShardCut(
                name,
                SID,
                new ResumePosition(GtidSet.parse(SID + ":1-3"), "bin.000002", 77),
                GtidSet.parse(SID + ":1-4"),
                0,
                0,
                new Cut.LeftOutGtids(GtidSet.parse(leftOut), GtidSet.EMPTY));
    }

    /** Writes one cut. */
    private static void write(StandaloneState service) throws Exception {
        Recovered recovered = service.recover(() -> "8.0.31-tributary");
        Link<Chunk> chunks = new Link<>("chunks", 4, Clock.SYSTEM);
        WritePipeline pipeline = service.write(recovered, chunks, Optional.empty());
        List<Stage> stages = pipeline.planned(new ThreadPlan(ThreadPlan.Policy.SHARED, 1)).groups().stream()
                .flatMap(List::stream)
                .toList();
        Cut cut = new Cut(
                3,
                8,
                new Cut.Sources(List.of(shard("s2", ""), shard("s1", SID + ":7")), Set.of()),
                new Cut.OutputPoint(0, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        chunks.put(new Chunk.CutMark(1, cut));
        while (!text(service).contains("8 of epoch 3")) {
            for (Stage stage : stages) {
                stage.doWork();
            }
        }
        stages.forEach(Stage::close);
        pipeline.close();
    }

    @Test
    void aStandaloneDumperReportsReadersFilesAndShards() throws Exception {
        try (StandaloneState service = standalone(config())) {
            assertEquals("", text(service));
            service.recover(() -> "8.0.31-tributary");
            assertEquals("", text(service));
            write(service);
            assertEquals("""
                    serves = 127.0.0.1:PORT
                    serves.to = 1 users
                    server.uuid = UUID
                    binlog = binlog.000001:605
                    gtid.executed =\s
                    gtid.purged =\s
                    cut = 8 of epoch 3
                    frontier.s2 = 00000000-0000-0001-0000-000000000002:1-4
                    position.s2 = bin.000002:77
                    frontier.s1 = 00000000-0000-0001-0000-000000000002:1-4
                    position.s1 = bin.000002:77
                    left.out.s1 = 00000000-0000-0001-0000-000000000002:7""", text(service));
        }
    }

    @Test
    void aLeaderWithoutACoordinatorReportsWhatReadersWaitFor() throws Exception {
        try (StandaloneState service = standalone(config("dumper.followers = 1"))) {
            Recovered recovered = service.recover(() -> "8.0.31-tributary");
            service.write(recovered, new Link<>("chunks", 4, Clock.SYSTEM), Optional.empty())
                    .close();
            assertEquals("""
                    serves = not yet
                    server.uuid = UUID
                    binlog = binlog.000001:0
                    gtid.executed =\s
                    gtid.purged =\s
                    leads = epoch 1
                    written = binlog.000001:194
                    readers.wait = for 1 follower(s) to acknowledge 194 bytes; followers now: 0 (dumper.ack)""", text(service));
        }
    }

    private DumperServices services(Config config, BinlogDirectory directory, NodeBackup backup) {
        return new DumperServices(
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
    }

    private static HostPort noTask() {
        throw new TributaryException(ErrorCode.STREAM_BROKEN, "there is no Task");
    }

    @Test
    void aDumperOfAClusterReportsItsState() {
        Config config = config("dumper.read = any");
        EmbeddedCoordinator coordinator = new EmbeddedCoordinator(Clock.SYSTEM);
        ClusterMember self = new ClusterMember(
                "a",
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of(),
                0);
        coordinator.join(self);
        ResignPolicy policy = new ResignPolicy("a", QUORUM, () -> List.of(self), Duration.ofHours(1), Clock.SYSTEM);
        LeaderResigner resigner = new LeaderResigner(coordinator, policy, () -> 0, Duration.ofHours(1), Clock.SYSTEM);
        try (NodeBackup backup = new NodeBackup(config, metrics, Clock.SYSTEM, new Startup(new StopSignal()));
                BinlogDirectory directory = BinlogDirectory.open(config.get(BinlogConfig.class), Clock.SYSTEM)) {
            DumperServices services = services(config, directory, backup);
            LeaderTerm term = coordinator
                    .campaign(LogPosition.NOTHING, "copy", Duration.ZERO)
                    .orElseThrow();
            try (LeaderState leader = new LeaderState(services, term, QUORUM, () -> List.of(self), resigner)) {
                assertEquals("""
                        state.in.cluster = leads
                        epoch = 0
                        leader = a
                        lease.left.ms = MS
                        serves = not yet""", text(leader));
                assertThrows(TributaryException.class, () -> leader.write(DumperStatusTest::noTask, cause -> {}));
                assertEquals("""
                        state.in.cluster = leads
                        epoch = 0
                        leader = a
                        lease.left.ms = MS
                        serves = not yet
                        server.uuid = UUID
                        binlog = binlog.000001:0
                        gtid.executed =\s
                        gtid.purged =\s
                        leads = epoch 0
                        written = binlog.000001:189
                        readers.wait = for 1 follower(s) to acknowledge 189 bytes; followers now: 0 (dumper.ack)""", text(leader));
            }
            try (FollowerState follower = new FollowerState(
                    services,
                    new LeaderAddress(new Leader("b", 5), new HostPort("127.0.0.1", 1)),
                    FileOffset.NONE,
                    coordinator.leadership(),
                    cause -> {})) {
                assertEquals("""
                        state.in.cluster = follows
                        epoch = 5
                        leader = b
                        copied = 0:0
                        behind.bytes = 0
                        serves = not yet""", text(follower));
            }
        }
    }
}
