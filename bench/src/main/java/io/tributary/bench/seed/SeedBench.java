package io.tributary.bench.seed;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.ProcessUsage;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.TimedCommand;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.seed.copy.Copy;
import io.tributary.seed.copy.CopyConfig;
import io.tributary.seed.copy.CopyListener;
import io.tributary.seed.replay.Replay;
import io.tributary.seed.replay.ReplayConfig;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Bench of the copy of a seed, compared with mydumper and myloader for the same table if they are installed; and of the replay, with transactions of
 * one update and one insert that four sessions have committed at the same time.
 */
@Command(
        name = SeedBench.NAME,
        description = "The copy of a table compared with mydumper and myloader, and the replay of transactions.")
public final class SeedBench implements Benchmark {
    static final String NAME = "seed";

    private static final double TARGET_COPY = 0.8;
    private static final double TARGET_REPLAY = 3000;
    private static final List<String> DUMP = List.of("mydumper", "myloader");

    @Option(names = "--rows", defaultValue = "2000000", description = "Rows of the table; default ${DEFAULT-VALUE}.")
    private int rows;

    @Option(
            names = "--transactions",
            defaultValue = "20000",
            description = "Transactions to replay; default ${DEFAULT-VALUE}.")
    private int transactions;

    /** Used by picocli. */
    public SeedBench() {}

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        int runs = options.runs(3);
        boolean hasPeer = DUMP.stream().allMatch(SeedBench::isInstalled);
        List<Double> copied = new ArrayList<>();
        List<Double> loaded = new ArrayList<>();
        List<Double> replayed = new ArrayList<>();
        List<Double> serverCpu = new ArrayList<>();
        List<Double> ownCpu = new ArrayList<>();
        try (SeedRig rig = new SeedRig(rows)) {
            for (int run = 0; run < runs; run++) {
                copied.add(rows / copySeconds(rig));
                if (hasPeer) {
                    loaded.add(rows / dumpSeconds(rig));
                }
                Replayed result = replayed(rig);
                replayed.add(result.perSecond());
                serverCpu.add(result.serverMicros());
                ownCpu.add(result.ownMicros());
            }
        }
        Figure copy = Figure.of(NAME, "copy, " + SeedRig.SESSIONS + " workers", "rows/s", copied);
        return List.of(
                hasPeer ? copy.beside("mydumper | myloader", loaded).aiming(Target.atLeastOfPeer(TARGET_COPY)) : copy,
                Figure.of(NAME, "replay, " + SeedRig.SESSIONS + " sessions", "transactions/s", replayed)
                        .aiming(Target.atLeast(TARGET_REPLAY)),
                Figure.of(NAME, "replay, CPU of the target", "us/transaction", serverCpu),
                Figure.of(NAME, "replay, CPU of the seed", "us/transaction", ownCpu));
    }

    private static boolean isInstalled(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program));
    }

    private static double copySeconds(SeedRig rig) throws SQLException {
        try (MysqlServer target = rig.newTarget(true)) {
            long start = Clock.SYSTEM.nanoTime();
            new Copy(rig.client(), rig.writers(target), CopyConfig.of(SeedRig.SESSIONS), Clock.SYSTEM, rig.threads())
                    .copy(List.of(rig.table()), CopyListener.NONE);
            return (Clock.SYSTEM.nanoTime() - start) / 1e9;
        }
    }

    private static double dumpSeconds(SeedRig rig) throws SQLException, IOException {
        Path folder = Files.createTempDirectory("tributary-mydumper-");
        try (MysqlServer target = rig.newTarget(false)) {
            TimedCommand dump = TimedCommand.run(client(
                    "mydumper",
                    rig.shard(),
                    List.of("-B", SeedRig.TABLE.schema(), "-o", folder + "/dump", "-r", "100000")));
            TimedCommand load = TimedCommand.run(client("myloader", target, List.of("-d", folder + "/dump")));
            return dump.seconds() + load.seconds();
        } finally {
            Folders.delete(folder);
        }
    }

    private static List<String> client(String program, MysqlServer server, List<String> more) {
        List<String> command = new ArrayList<>(List.of(
                program,
                "-h",
                "127.0.0.1",
                "-P",
                Integer.toString(server.port()),
                "-u",
                MysqlServer.ROOT,
                "-p",
                MysqlServer.ROOT_PASSWORD,
                "-t",
                Integer.toString(SeedRig.SESSIONS)));
        command.addAll(more);
        return command;
    }

    // ---- replay

    /**
     * A replay.
     *
     * @param perSecond transactions per second
     * @param serverMicros CPU of the target's server, microseconds for each transaction
     * @param ownMicros CPU of this process
     */
    private record Replayed(double perSecond, double serverMicros, double ownMicros) {}

    /** The shard stands for the node's port: a replay reads the same protocol from both. */
    private Replayed replayed(SeedRig rig) throws Exception {
        try (MysqlServer target = rig.newTarget(true)) {
            GtidSet before = GtidSet.parse(rig.shard().gtidExecuted());
            new Copy(rig.client(), rig.writers(target), CopyConfig.of(SeedRig.SESSIONS), Clock.SYSTEM, rig.threads())
                    .copy(List.of(rig.table()), CopyListener.NONE);
            target.execute("SET GLOBAL gtid_purged = '" + before.line() + "'");
            load(rig);
            GtidSet after = GtidSet.parse(rig.shard().gtidExecuted());
            long self = ProcessHandle.current().pid();
            double serverCpu = ProcessUsage.of(target.pid()).cpuSeconds();
            double ownCpu = ProcessUsage.of(self).cpuSeconds();
            long start = Clock.SYSTEM.nanoTime();
            long done = new Replay(
                            rig.client(),
                            rig.shardPeer(),
                            rig.writers(target),
                            ReplayConfig.of(target.serverId(), UUID.randomUUID())
                                    .withSessions(SeedRig.SESSIONS),
                            Clock.SYSTEM)
                    .run(
                            after,
                            (table, number) -> RowTreatment.OVERWRITE,
                            (tables, number) -> require(tables),
                            rig.threads())
                    .transactions();
            double seconds = (Clock.SYSTEM.nanoTime() - start) / 1e9;
            return new Replayed(
                    done / seconds,
                    (ProcessUsage.of(target.pid()).cpuSeconds() - serverCpu) * 1e6 / done,
                    (ProcessUsage.of(self).cpuSeconds() - ownCpu) * 1e6 / done);
        }
    }

    private static void require(Set<?> dirty) {
        throw new IllegalStateException("expected no statement that changes tables, found " + dirty);
    }

    private void load(SeedRig rig) throws Exception {
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 2 * SeedRig.SESSIONS; i++) {
            Random random = new Random(i);
            writers.add(rig.threads().submit(() -> {
                try (Sql sql = rig.shard().sql()) {
                    for (int n = 0; n < transactions / (2 * SeedRig.SESSIONS); n++) {
                        sql.execute("BEGIN");
                        sql.execute("UPDATE bench.sbtest SET k = k + 1 WHERE id = " + (1 + random.nextInt(rows)));
                        sql.execute("INSERT INTO bench.sbtest (k, c, pad) VALUES (1, 'c', 'pad')");
                        sql.execute("COMMIT");
                    }
                }
                return null;
            }));
        }
        for (Future<?> writer : writers) {
            writer.get();
        }
    }
}
