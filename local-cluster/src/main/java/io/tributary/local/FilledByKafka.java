package io.tributary.local;

import io.tributary.local.kafka.TopicApplier;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankFigures;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The quickstart with Kafka: a consumer applies the messages of a sink to an empty MySQL server, which must be equal to the shards at the end. */
final class FilledByKafka {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int SHARDS = 3;
    private static final int ACCOUNTS = 1000;
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);
    private static final Pattern TOPICS = Pattern.compile(BankWorkload.SCHEMA + "\\..*");

    private final PrintStream out;
    private final Path folder;
    private final QuickstartOptions options;

    FilledByKafka(PrintStream out, Path folder, QuickstartOptions options) {
        this.out = out;
        this.folder = folder;
        this.options = options;
    }

    /** @param keep takes the processes, which its owner ends */
    Quickstart.Finished run(KafkaNode setting, UnaryOperator<LocalCluster> keep) throws SQLException {
        out.println("Starting " + SHARDS + " MySQL shards, " + setting.description()
                + ", and a MySQL server for a consumer, in " + folder);
        LocalCluster started = keep.apply(setting.make(IntStream.rangeClosed(1, SHARDS)
                .mapToObj(i -> MysqlOptions.named("s" + i).in(folder.resolve("s" + i)))
                .toList()));
        for (MysqlServer shard : started.shards()) {
            out.println("  shard " + shard.name() + "    127.0.0.1:" + shard.port());
        }
        setting.start();
        MysqlReplica target = started.newReplica(MysqlOptions.named("target").in(folder.resolve("target")));
        out.println("  consumer    fills 127.0.0.1:" + target.server().port());
        TopicApplier consumer =
                started.closing(new TopicApplier(setting.brokers().addresses(), TOPICS, target.server()));
        BankOptions load = setting.load(
                BankOptions.seeded(options.seed()).threads(4).xaShare(0.3).accountsPerShard(ACCOUNTS));
        try (BankWorkload bank = new BankWorkload(started.shards(), load)) {
            bank.prepare();
            started.awaitAllWritten(setting.writer(), LIMIT);
            long before = ClusterNodes.transactions(setting.writer());
            out.println();
            out.println("Running a bank workload for " + options.seconds()
                    + " s: local transactions, and XA transfers between shards");
            bank.start();
            show(setting, consumer, bank);
            bank.stop();
            out.println();
            out.println("The workload has stopped. Waiting until the consumer has applied everything");
            started.awaitAllWritten(setting.writer(), LIMIT);
            awaitSent(setting);
            consumer.awaitAll(LIMIT);
            out.println("The consumer has applied " + consumer.rows() + " rows and " + consumer.statements()
                    + " DDL statements; the sink has sent " + setting.sink().fact("sink.rows").orElse("?") + " rows in "
                    + setting.sink().fact("sink.commits").orElse("?") + " Kafka transactions");
            Verdict verdict = Verdict.of(
                    bank.figures(),
                    ClusterNodes.transactions(setting.writer()) - before,
                    TableChecksum.union(started.shards(), SCHEMAS),
                    TableChecksum.of(target.server(), SCHEMAS));
            return new Quickstart.Finished(started, target, verdict);
        }
    }

    /** Waits until all that is in the node's binlog is committed in Kafka. */
    private static void awaitSent(KafkaNode setting) {
        String all = setting.writer().fact("gtid.executed").orElseThrow();
        Await.until(
                () -> "the sink to send " + all + "; " + setting.sink().facts() + "; "
                        + setting.sink().lastLines(),
                LIMIT,
                () -> setting.sink().fact("sink.executed").orElse("").equals(all));
    }

    private void show(KafkaNode setting, TopicApplier consumer, BankWorkload bank) {
        out.printf("%6s  %10s %12s %16s %8s%n", "time", "in: txn/s", "sink: rows/s", "consumer: rows/s", "lag s");
        long start = System.nanoTime();
        Moment before = now(setting, consumer, bank);
        for (int second = 1; second <= options.seconds(); second++) {
            long next = start + Duration.ofSeconds(second).toNanos();
            Await.until("the next second", Duration.ofSeconds(30), () -> System.nanoTime() - next >= 0);
            Moment now = now(setting, consumer, bank);
            double seconds = (now.nanos - before.nanos) / 1e9;
            out.printf(
                    "%5ds  %10.0f %12.0f %16.0f %8.3f%n",
                    second,
                    (now.figures.committed() - before.figures.committed()) / seconds,
                    (now.sent - before.sent) / seconds,
                    (now.applied - before.applied) / seconds,
                    setting.sink().metric("tributary_sink_lag_seconds"));
            out.flush();
            before = now;
        }
    }

    /** The counts at one moment. */
    private record Moment(long nanos, BankFigures figures, double sent, long applied) {}

    private static Moment now(KafkaNode setting, TopicApplier consumer, BankWorkload bank) {
        return new Moment(
                System.nanoTime(), bank.figures(), setting.sink().metric("tributary_sink_rows_total"), consumer.rows());
    }
}
