package io.tributary.local;

import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The quickstart with shards that already hold rows: their first binlogs are purged before the node is started, so that no replica can be made from
 * the stream alone. The replica is made with {@code tributary seed} while the load runs.
 */
final class SeededReplica {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int SHARDS = 3;
    private static final int WORKERS = 4;
    private static final int ACCOUNTS = 20_000;
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);

    private final PrintStream out;
    private final Path folder;
    private final QuickstartOptions options;

    SeededReplica(PrintStream out, Path folder, QuickstartOptions options) {
        this.out = out;
        this.folder = folder;
        this.options = options;
    }

    /** @param keep takes the processes, which its owner ends */
    Quickstart.Finished run(QuickstartMode setting, UnaryOperator<LocalCluster> keep) throws SQLException {
        out.println("Starting " + SHARDS + " MySQL shards that hold rows, 1 empty MySQL server and "
                + setting.description() + " in " + folder);
        LocalCluster started = keep.apply(setting.make(IntStream.rangeClosed(1, SHARDS)
                .mapToObj(i -> MysqlOptions.named("s" + i).in(folder.resolve("s" + i)))
                .toList()));
        BankOptions bankOptions = BankOptions.seeded(options.seed())
                .threads(4)
                .xaShare(0.3)
                .accountsPerShard(ACCOUNTS)
                .perSecond(500);
        try (BankWorkload bank = new BankWorkload(started.shards(), bankOptions)) {
            bank.prepare();
            for (MysqlServer shard : started.shards()) {
                purge(shard);
            }
            setting.start();
            MysqlReplica replica =
                    started.newReplica(MysqlReplica.options("replica", WORKERS).in(folder.resolve("replica")));
            out.println();
            out.println("Running a bank workload: local transactions, and XA transfers between shards");
            bank.start();
            seed(started, replica.server());
            setting.show(
                    new LiveFigures(out, setting::writer, replica, bank),
                    replica,
                    Duration.ofSeconds(options.seconds()));
            bank.stop();
            out.println();
            out.println("The workload has stopped. Waiting until the replica has applied everything");
            started.awaitAllWritten(setting.writer(), LIMIT);
            replica.awaitGtids(setting.writer().fact("gtid.executed").orElseThrow(), LIMIT);
            Verdict verdict = Verdict.of(
                    bank.figures(),
                    ClusterNodes.transactions(setting.writer()),
                    TableChecksum.union(started.shards(), SCHEMAS),
                    TableChecksum.of(replica.server(), SCHEMAS));
            return new Quickstart.Finished(started, replica, verdict);
        }
    }

    private void purge(MysqlServer shard) throws SQLException {
        shard.execute("FLUSH BINARY LOGS");
        List<Path> files = shard.binlogFiles();
        String last = files.get(files.size() - 1).getFileName().toString();
        shard.execute("PURGE BINARY LOGS TO '" + last + "'");
        out.println("  shard " + shard.name() + "    127.0.0.1:" + shard.port() + "   " + ACCOUNTS
                + " accounts; its binlogs before " + last + " are purged");
    }

    private void seed(LocalCluster started, MysqlServer target) {
        List<String> command = List.of(
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "seed",
                "--config",
                started.node().configFile().toString(),
                "--target",
                "127.0.0.1:" + target.port(),
                "--target-user",
                MysqlServer.ROOT);
        out.println();
        out.println("TRIBUTARY_TARGET_PASSWORD=" + MysqlServer.ROOT_PASSWORD + " " + String.join(" ", command));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TRIBUTARY_TARGET_PASSWORD", MysqlServer.ROOT_PASSWORD);
        try (ChildProcess process = ChildProcess.start(builder.redirectOutput(ProcessBuilder.Redirect.INHERIT))) {
            if (!process.awaitExit(LIMIT) || process.exitValue() != 0) {
                throw new IllegalStateException("expected that tributary seed succeeds, see its output above");
            }
        }
    }
}
