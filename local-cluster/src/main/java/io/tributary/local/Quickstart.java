package io.tributary.local;

import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** The quickstart: runs shards, a node or a cluster of nodes, a replica and a load on one machine, and prints a verdict. */
public final class Quickstart implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int SHARDS = 3;
    private static final int WORKERS = 4;
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);

    private final PrintStream out;
    private final QuickstartOptions options;
    private final Path folder;
    private LocalCluster cluster;
    private boolean isEnded;
    private volatile boolean isInterrupted;

    Quickstart(PrintStream out, QuickstartOptions options) throws IOException {
        this.out = out;
        this.options = options;
        this.folder = Files.createTempDirectory("tributary-quickstart-");
    }

    /** Exit status: 0 passed, 1 failed, 2 wrong usage. */
    public static void main(String[] arguments) throws Exception {
        QuickstartOptions options;
        try {
            options = QuickstartOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(QuickstartOptions.USAGE);
            System.exit(2);
            return;
        }
        System.exit(runToItsEnd(new Quickstart(System.out, options)) ? 0 : 1);
    }

    private static boolean runToItsEnd(Quickstart quickstart) {
        Runtime.getRuntime().addShutdownHook(new Thread(quickstart::interrupt, "quickstart-end"));
        try (quickstart) {
            Verdict verdict = quickstart.run();
            if (!quickstart.options.once()) {
                new CountDownLatch(1).await();
            }
            return verdict.passed();
        } catch (Exception e) {
            if (!quickstart.isInterrupted) { // after Ctrl-C, failures are expected
                quickstart.out.println("FAIL: " + chain(e));
            }
            return false;
        }
    }

    /** The failure and its chain of causes, in one line. */
    private static String chain(Throwable failure) {
        StringBuilder line = new StringBuilder(failure.toString());
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            line.append("; caused by ").append(cause);
        }
        return line.toString();
    }

    /** Runs everything except the wait for Ctrl-C. All processes keep running. */
    Verdict run() throws SQLException {
        return switch (options.setting()) {
            case NODE -> replicated(new OneNode(out, folder, false));
            case CLUSTER -> replicated(new ManyNodes(out, folder, options.lease()));
            case WITH_DATA -> {
                OneNode node = new OneNode(out, folder, true);
                yield finished(node, new SeededReplica(out, folder, options).run(node, this::keep));
            }
            case KAFKA -> {
                KafkaNode node = new KafkaNode(out, folder);
                yield finished(node, new FilledByKafka(out, folder, options).run(node, this::keep));
            }
        };
    }

    private Verdict replicated(QuickstartMode setting) throws SQLException {
        LocalCluster started = start(setting);
        MysqlReplica replica =
                started.newReplica(MysqlReplica.options("replica", WORKERS).in(folder.resolve("replica")));
        setting.attach(replica);
        return finished(setting, new Finished(started, replica, load(setting, started, replica)));
    }

    /** The servers after the run, and the verdict. */
    record Finished(LocalCluster cluster, MysqlReplica replica, Verdict verdict) {}

    private Verdict finished(QuickstartMode setting, Finished run) {
        if (!options.once()) {
            QuickstartGuide.lines(setting, run.cluster(), run.replica()).forEach(out::println);
        }
        out.println(run.verdict().line());
        out.flush();
        return run.verdict();
    }

    private LocalCluster start(QuickstartMode setting) throws SQLException {
        out.println(
                "Starting " + SHARDS + " MySQL shards, 1 MySQL replica and " + setting.description() + " in " + folder);
        List<MysqlOptions> shards = IntStream.rangeClosed(1, SHARDS)
                .mapToObj(i -> MysqlOptions.named("s" + i).in(folder.resolve("s" + i)))
                .toList();
        LocalCluster started = keep(setting.make(shards));
        for (MysqlServer shard : started.shards()) {
            out.println("  shard " + shard.name() + "    127.0.0.1:" + shard.port());
        }
        setting.start();
        return started;
    }

    private Verdict load(QuickstartMode setting, LocalCluster started, MysqlReplica replica) throws SQLException {
        BankOptions bankOptions = setting.load(
                BankOptions.seeded(options.seed()).threads(4).xaShare(0.3).accountsPerShard(1000));
        try (BankWorkload bank = new BankWorkload(started.shards(), bankOptions)) {
            bank.prepare();
            started.awaitAllWritten(setting.writer(), LIMIT);
            replica.awaitGtids(gtids(setting), LIMIT);
            long before = ClusterNodes.transactions(setting.writer());
            out.println();
            out.println("Running a bank workload for " + options.seconds()
                    + " s: local transactions, and XA transfers between shards");
            bank.start();
            setting.show(
                    new LiveFigures(out, setting::writer, replica, bank),
                    replica,
                    Duration.ofSeconds(options.seconds()));
            bank.stop();
            out.println();
            out.println("The workload has stopped. Waiting until the replica has applied everything");
            started.awaitAllWritten(setting.writer(), LIMIT);
            replica.awaitGtids(gtids(setting), LIMIT);
            setting.check();
            return Verdict.of(
                    bank.figures(),
                    ClusterNodes.transactions(setting.writer()) - before,
                    TableChecksum.union(started.shards(), SCHEMAS),
                    TableChecksum.of(replica.server(), SCHEMAS));
        }
    }

    private static String gtids(QuickstartMode setting) {
        return setting.writer().fact("gtid.executed").orElseThrow();
    }

    private synchronized LocalCluster keep(LocalCluster started) {
        if (isEnded) {
            started.close();
            throw new IllegalStateException("the quickstart was stopped while it started");
        }
        cluster = started;
        return started;
    }

    /** The shutdown hook: runs when the JVM ends, after Ctrl-C or at the normal end. */
    private void interrupt() {
        isInterrupted = true;
        close();
    }

    /** Ends every process that was started and deletes their files. May be called more than once, from any thread. */
    @Override
    public synchronized void close() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        try {
            if (cluster != null) {
                cluster.close();
            }
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder + ": " + e.getMessage(), e);
        }
    }
}
