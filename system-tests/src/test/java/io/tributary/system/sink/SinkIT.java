package io.tributary.system.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.kafka.TopicApplier;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A sink (node.role=sink) whose process, broker and node are killed (SIGKILL) at random moments, under a load with XA transactions and with a schema change that
 * rolls over the shards: a consumer of committed messages has each row of the binlog once, in the order of the binlog in each partition. It fails with
 * {@code -Dsink.delivery=at-least-once}.
 */
class SinkIT {
    private static final int KILLS = Integer.getInteger("kills", 4);
    private static final long SEED = Long.getLong("seed", 17);
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"table, 1", "key, 3"})
    void eachRowIsThereOnceWhateverIsKilled(String dispatch, int partitions) throws Exception {
        try (LocalCluster cluster = cluster();
                KafkaBrokers brokers = KafkaBrokers.one();
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(SEED).perSecond(150))) {
            cluster.node().start();
            NodeProcess sink = SinkNode.of(cluster, brokers, "sink");
            sink.config()
                    .set("sink.dispatch", "bank.*:" + dispatch)
                    .set("sink.topic.partitions", Integer.toString(partitions));
            sink.launch();
            bank.prepare();
            bank.start();
            Random random = new Random(SEED);
            Map<String, Integer> killed = new TreeMap<>();
            for (int kill = 0; kill < KILLS; kill++) {
                SinkNode.awaitMore(sink);
                if (kill == KILLS / 2) {
                    change(cluster.shards().get(0));
                } else if (kill == KILLS / 2 + 1) {
                    change(cluster.shards().get(1));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(700)));
                switch (random.nextInt(3)) {
                    case 0 -> {
                        sink.kill9();
                        sink.launch();
                        killed.merge("sink", 1, Integer::sum);
                    }
                    case 1 -> {
                        brokers.first().kill9();
                        brokers.first().restart();
                        killed.merge("broker", 1, Integer::sum);
                    }
                    default -> {
                        cluster.node().kill9();
                        cluster.node().launch();
                        killed.merge("node", 1, Integer::sum);
                    }
                }
            }
            bank.stop();
            SinkNode.awaitSent(cluster, sink);
            List<SentRow> sent = SentRow.all(brokers.addresses(), BankWorkload.SCHEMA);
            check(cluster, sent);
            System.out.println("killed=" + killed + " messages=" + sent.size());
            if (partitions == 1) {
                checkTarget(cluster, brokers);
            }
        }
    }

    private LocalCluster cluster() throws Exception {
        return LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("binlog.file.size", "1MiB").withoutTls());
    }

    private static void change(MysqlServer shard) throws Exception {
        shard.execute("ALTER TABLE bank.accounts ADD COLUMN extra INT NOT NULL DEFAULT 7");
    }

    private static void check(LocalCluster cluster, List<SentRow> sent) throws IOException {
        Map<Long, Set<Long>> rows = new TreeMap<>();
        Map<Long, Integer> lasts = new TreeMap<>();
        for (List<SentRow> partition : SentRow.byPartition(sent).values()) {
            SentRow before = null;
            for (SentRow row : partition) {
                if (!row.isRow()) {
                    continue;
                }
                assertTrue(
                        rows.computeIfAbsent(row.number(), any -> new HashSet<>())
                                .add(row.row()),
                        row + " came twice");
                SentRow previous = before;
                assertTrue(
                        before == null
                                || before.number() < row.number()
                                || before.number() == row.number() && before.row() < row.row(),
                        () -> row + " came after " + previous);
                before = row;
                if (row.isLast()) {
                    lasts.merge(row.number(), 1, Integer::sum);
                }
            }
        }
        Map<Long, Integer> expected = new TreeMap<>();
        Map<Long, Integer> found = new TreeMap<>();
        BinlogReader.ofFolder(cluster.binlogFolder()).forEach((BinlogTransaction transaction) -> {
            int changes = (int) transaction.changes().stream()
                    .filter(change -> change.schema().equals(BankWorkload.SCHEMA))
                    .count();
            if (changes > 0) {
                expected.put(transaction.gtid().gno(), changes);
            }
        });
        rows.forEach((number, all) -> found.put(number, all.size()));
        assertEquals(expected, found, "rows of each transaction");
        assertTrue(expected.size() > 100, expected::toString);
        assertEquals(expected.keySet(), lasts.keySet(), "transactions whose last row is marked");
        assertTrue(lasts.values().stream().allMatch(one -> one == 1), lasts::toString);
        checkColumns(sent);
    }

    /** After the statement that adds a column, each row has it; before it, none has. */
    private static void checkColumns(List<SentRow> sent) {
        long changed = sent.stream()
                .filter(row -> !row.isRow() && row.value().contains("ADD COLUMN extra"))
                .mapToLong(SentRow::number)
                .findFirst()
                .orElseThrow();
        List<SentRow> wrong = new ArrayList<>();
        long after = 0;
        for (SentRow row : sent) {
            if (row.isRow() && row.partition().topic().equals("bank.accounts")) {
                boolean isNew = row.number() > changed;
                after += isNew ? 1 : 0;
                if (isNew != row.value().contains("\"extra\":\"7\"")) {
                    wrong.add(row);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(after > 0, "rows after the schema change");
    }

    /** A consumer that applies all messages has the rows of all shards. */
    private void checkTarget(LocalCluster cluster, KafkaBrokers brokers) throws Exception {
        try (MysqlServer target = MysqlServer.start(MysqlOptions.named("target").in(folder.resolve("target")));
                TopicApplier consumer = new TopicApplier(brokers.addresses(), Pattern.compile("bank\\..*"), target)) {
            consumer.awaitAll(LIMIT);
            assertEquals(TableChecksum.union(cluster.shards(), SCHEMAS), TableChecksum.of(target, SCHEMAS));
        }
    }

    @Test
    void aBrokerThatIsAwayHoldsTheSink() throws Exception {
        try (LocalCluster cluster = cluster();
                KafkaBrokers brokers = KafkaBrokers.one()) {
            cluster.node().start();
            NodeProcess sink = SinkNode.of(cluster, brokers, "sink").start();
            cluster.shards().get(0).execute("CREATE DATABASE bank", "CREATE TABLE bank.one (id INT PRIMARY KEY)");
            SinkNode.awaitSent(cluster, sink);
            assertEquals("fit to start again; a node runs here with this configuration", checkLine(sink));

            brokers.first().kill9();
            cluster.shards().get(0).execute("INSERT INTO bank.one VALUES (1)");
            Await.until(
                    () -> "the sink to be held; " + sink.facts() + "; " + sink.lastLines(),
                    LIMIT,
                    () -> sink.fact("sink.state").orElse("").startsWith("held: SINK_UNREACHABLE"));
            assertTrue(!sink.isHealthy(), "an unhealthy sink");
            assertTrue(checkOutput(sink).contains("sink.brokers: warning: expected the brokers to answer"));

            brokers.first().restart();
            SinkNode.awaitSent(cluster, sink);
            Await.until("the sink to be healthy", LIMIT, sink::isHealthy);
            List<SentRow> rows = SentRow.all(brokers.addresses(), BankWorkload.SCHEMA).stream()
                    .filter(SentRow::isRow)
                    .toList();
            assertEquals(1, rows.size(), rows::toString);
            assertTrue(rows.get(0).value().contains("\"data\":[{\"id\":\"1\"}]"), rows::toString);
        }
    }

    private static String checkLine(NodeProcess sink) {
        List<String> lines = checkOutput(sink).lines().toList();
        return lines.get(lines.size() - 1);
    }

    private static String checkOutput(NodeProcess sink) {
        return MysqlTools.run(List.of(
                        NodeProcess.projectHome().resolve("bin/tributary").toString(),
                        "check",
                        "-c",
                        sink.configFile().toString()))
                .output();
    }
}
