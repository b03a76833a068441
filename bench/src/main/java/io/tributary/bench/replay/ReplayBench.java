package io.tributary.bench.replay;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.InsertOptions;
import io.tributary.testkit.workload.InsertWorkload;
import io.tributary.testkit.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Bench of a real replica: a load runs on four real shards, the replica receives the node's binlog into its relay log, and then applies it: with one
 * worker, and with eight workers that preserve the commit order. Each sync of a commit or group of commits takes 5 ms on the replica.
 */
@Command(
        name = ReplayBench.NAME,
        description =
                "A replica with 8 workers applies the binlog of 4 shards, compared with 1 worker; a sync takes 5 ms.")
public final class ReplayBench implements Benchmark {
    static final String NAME = "replay";

    private static final int SHARDS = 4;
    private static final int WORKERS = 8;
    private static final int SESSIONS = 32;
    private static final int SYNC_MICROS = 5000;
    private static final double TARGET = 4;
    private static final double TARGET_BY_KEYS = 5;

    /** Commits on the shards are durable, the default of MySQL: sessions that commit at the same time share a sync. */
    private static final String[] COMMIT_ORDER = {"--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"};

    /** The shards compute dependencies by rows (WRITESET), the only method from MySQL 8.4 on. */
    private static final String[] WRITESET = {
        "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1", "--binlog-transaction-dependency-tracking=WRITESET"
    };

    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Option(
            names = "--transactions",
            defaultValue = "1000",
            description = "Transactions of each load; default ${DEFAULT-VALUE}.")
    private int transactions;

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        List<Figure> figures = new ArrayList<>();
        int runs = options.runs(3);
        Setup byClocks = new Setup("", mysql(COMMIT_ORDER), "shards", TARGET);
        Setup byWritesets = new Setup(", WRITESET", mysql(WRITESET), "shards", TARGET);
        Setup byKeys = new Setup(", binlog.parallel=writeset", mysql(COMMIT_ORDER), "writeset", TARGET_BY_KEYS);
        Setup mariadb = new Setup(", MariaDB, binlog.parallel=writeset", mariadb(), "writeset", TARGET);
        figures.add(measure("inserts", runs, byClocks, cluster -> inserts(cluster.shards())));
        figures.add(measure("inserts", runs, byWritesets, cluster -> inserts(cluster.shards())));
        figures.add(measure("inserts", runs, byKeys, cluster -> inserts(cluster.shards())));
        figures.add(measure("inserts", runs, mariadb, cluster -> inserts(cluster.shards())));
        figures.add(measure("30% XA", runs, byWritesets, cluster -> transfers(cluster.shards())));
        figures.add(measure("30% XA", runs, byKeys, cluster -> transfers(cluster.shards())));
        return figures;
    }

    /**
     * The shards and the configuration of a measurement.
     *
     * @param name in figures, after the name of the load
     * @param parallel the value of binlog.parallel
     * @param target the ratio to one worker
     */
    private record Setup(String name, List<MysqlOptions> shards, String parallel, double target) {}

    private static Workload inserts(List<MysqlServer> shards) {
        return new InsertWorkload(shards, 1, InsertOptions.tiny().threads(SESSIONS));
    }

    private static Workload transfers(List<MysqlServer> shards) {
        return new BankWorkload(
                shards,
                BankOptions.seeded(1).threads(SESSIONS).accountsPerShard(500).vouchersPerShard(200));
    }

    private static List<MysqlOptions> mysql(String[] options) {
        return IntStream.rangeClosed(1, SHARDS)
                .mapToObj(number -> MysqlOptions.named("s" + number).with(options))
                .toList();
    }

    private static List<MysqlOptions> mariadb() {
        return IntStream.rangeClosed(1, SHARDS)
                .mapToObj(number -> MysqlOptions.named("s" + number)
                        .of(MysqlRelease.MARIADB_10_11)
                        .with("--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci"))
                .toList();
    }

    /** Runs the load on a cluster. */
    private interface Loads {
        Workload of(LocalCluster cluster);
    }

    private Figure measure(String loadName, int runs, Setup setup, Loads loads) throws Exception {
        String name = loadName + setup.name();
        Path folder = Files.createDirectories(NodeProcess.projectHome().resolve("bench/target/replay"));
        Folders.delete(folder);
        Files.createDirectories(folder);
        try (LocalCluster cluster = LocalCluster.withShards(
                folder, setup.shards(), config -> config.set("binlog.parallel", setup.parallel()))) {
            cluster.node().start();
            try (Workload load = loads.of(cluster)) {
                load.prepare();
                load.run(transactions);
            }
            cluster.awaitAllWritten(LIMIT);
            double all = cluster.transactionsWritten();
            List<Double> parallel = new ArrayList<>();
            List<Double> serial = new ArrayList<>();
            for (int run = 0; run < runs; run++) {
                parallel.add(all / secondsToApply(cluster, WORKERS));
                serial.add(all / secondsToApply(cluster, 1));
            }
            System.out.printf(Locale.ROOT, "%s: %.0f transactions of %d shards%n", name, all, SHARDS);
            return Figure.of(NAME, name + ", " + WORKERS + " workers", "transactions/s", parallel)
                    .beside("1 worker", serial)
                    .aiming(Target.atLeastOfPeer(setup.target()));
        } finally {
            Folders.delete(folder);
        }
    }

    /** All transactions are in the replica's relay log before the measurement starts. */
    private static double secondsToApply(LocalCluster cluster, int workers) throws SQLException {
        String gtids = cluster.gtidExecuted();
        try (MysqlServer server = MysqlServer.start(MysqlReplica.options("replica", workers)
                .with("--sync-binlog=1", "--binlog-group-commit-sync-delay=" + SYNC_MICROS))) {
            MysqlReplica replica = new MysqlReplica(server);
            replica.receiveByGtid(
                    "127.0.0.1", cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password());
            awaitReceived(replica, gtids);
            server.execute("STOP REPLICA IO_THREAD");
            long start = Clock.SYSTEM.nanoTime();
            server.execute("START REPLICA SQL_THREAD");
            replica.awaitGtids(gtids, LIMIT);
            double seconds = (Clock.SYSTEM.nanoTime() - start) / 1e9;
            System.out.printf(Locale.ROOT, "%d workers: %.2f s%n", workers, seconds);
            return seconds;
        }
    }

    private static void awaitReceived(MysqlReplica replica, String gtids) {
        Await.until("the replica's relay log to hold " + gtids, LIMIT, () -> {
            String has = replica.status().getOrDefault("Retrieved_Gtid_Set", "").replace("\n", "");
            return replica.server()
                    .text("SELECT GTID_SUBSET('" + gtids + "', CONCAT('" + has + "', ',', @@gtid_executed))")
                    .equals("1");
        });
    }
}
