package io.tributary.system.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.kafka.TopicApplier;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.ApicurioRegistry;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two sinks of one cluster, one in avro with a real registry and one in canal-json with a store of large messages, while schema changes roll over the
 * shards under a load with XA transactions: what consumers make of the messages equals the tables of the shards.
 */
class SinkFormatsIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);
    private static final String TOPIC = "avro.bank.accounts";
    private static final List<String> CHANGES =
            List.of("ADD COLUMN extra INT NOT NULL DEFAULT 7", "ADD COLUMN memo VARCHAR(30)", "DROP COLUMN extra");
    private static final int NOTES = 12;

    @TempDir
    private Path folder;

    @Test
    void messagesFitTheTablesWhileTheseChangeAndRowsAreLarge() throws Exception {
        Path claims = Files.createDirectory(folder.resolve("claims"));
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                        config -> config.withoutTls());
                KafkaBrokers brokers = KafkaBrokers.one();
                ApicurioRegistry registry = ApicurioRegistry.start();
                BankWorkload bank =
                        new BankWorkload(cluster.shards(), BankOptions.seeded(3).perSecond(100))) {
            cluster.node().start();
            NodeProcess avro = SinkNode.of(cluster, brokers, "avro");
            avro.config()
                    .set("sink.protocol", "avro")
                    .set("sink.registry", registry.address().toString())
                    .set("sink.tables", "bank.accounts")
                    .set("sink.topic", "avro.{schema}.{table}")
                    .set("sink.topic.partitions", "2")
                    .set("sink.dispatch", "*.*:key");
            NodeProcess canal = SinkNode.of(cluster, brokers, "canal");
            canal.config()
                    .set("sink.large-message", "claim-check")
                    .set("sink.claim.directory", claims.toString())
                    .set("sink.message.bytes", "4KiB");
            avro.launch();
            canal.launch();
            bank.prepare();
            notes(cluster);
            bank.start();
            SinkNode.awaitMore(avro);
            registry.compatibility(TOPIC + "-value", "BACKWARD");
            for (String change : CHANGES) {
                for (MysqlServer shard : cluster.shards()) {
                    shard.execute("ALTER TABLE bank.accounts " + change);
                    SinkNode.awaitMore(avro);
                }
            }
            bank.stop();
            SinkNode.awaitSent(cluster, avro);
            SinkNode.awaitSent(cluster, canal);
            checkAvro(cluster, registry, brokers);
            checkCanal(cluster, brokers, claims);
        }
    }

    /** Rows whose messages are above the limit: all kinds of changes of them. */
    private static void notes(LocalCluster cluster) throws Exception {
        Random random = new Random(17);
        for (int i = 0; i < cluster.shards().size(); i++) {
            MysqlServer shard = cluster.shards().get(i);
            shard.execute("CREATE TABLE bank.notes (id INT PRIMARY KEY, n INT NOT NULL, v LONGTEXT, b LONGBLOB)");
            int first = i * 1000;
            for (int id = first; id < first + NOTES; id++) {
                int size = 5_000 + random.nextInt(200_000);
                shard.execute("INSERT INTO bank.notes VALUES (" + id + ", 0, REPEAT('\u00e9\\n\"', " + size
                        + "), REPEAT(0xff0a00, " + size + "))");
            }
            shard.execute(
                    "UPDATE bank.notes SET n = n + 1",
                    "UPDATE bank.notes SET id = id + 500 WHERE id < " + (first + 3),
                    "DELETE FROM bank.notes WHERE id % 4 = 3",
                    "UPDATE bank.notes SET v = 'short', b = NULL WHERE id % 4 = 0");
        }
    }

    private static void checkAvro(LocalCluster cluster, ApicurioRegistry registry, KafkaBrokers brokers)
            throws Exception {
        AvroTopic topic = new AvroTopic(registry, TOPIC);
        assertEquals(CHANGES.size() + 1, topic.checkVersions());
        Map<String, Map<String, String>> expected = new TreeMap<>();
        for (MysqlServer shard : cluster.shards()) {
            try (Sql sql = shard.sql()) {
                for (Map<String, String> row : sql.rows("SELECT * FROM bank.accounts")) {
                    expected.put("{id=" + row.get("id") + "}", new TreeMap<>(row));
                }
            }
        }
        assertEquals(expected, topic.rows(brokers.addresses()));
        assertEquals(CHANGES.size() + 1, topic.messages().size(), topic.messages()::toString);
        System.out.println("messages of each version of the schema: " + topic.messages());
    }

    private void checkCanal(LocalCluster cluster, KafkaBrokers brokers, Path claims) throws Exception {
        try (MysqlServer target = MysqlServer.start(MysqlOptions.named("target").in(folder.resolve("target")));
                TopicApplier consumer = new TopicApplier(brokers.addresses(), Pattern.compile("bank\\..*"), target)) {
            consumer.awaitAll(LIMIT);
            assertEquals(TableChecksum.union(cluster.shards(), SCHEMAS), TableChecksum.of(target, SCHEMAS));
            assertTrue(consumer.fetched() >= 4L * NOTES, () -> "fetched " + consumer.fetched());
            assertEquals(files(claims), consumer.fetched());
            System.out.println("fetched large messages: " + consumer.fetched());
        }
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).count();
        }
    }
}
