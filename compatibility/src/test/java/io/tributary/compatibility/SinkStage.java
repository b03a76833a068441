package io.tributary.compatibility;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.kafka.CommittedMessages;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.ApicurioRegistry;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Two shards with the table {@code shop.orders}, Tributary, a broker, a registry, and a sink for each protocol that consumers read. Each sink was killed in
 * the middle, so that its topic, {@code <name of the sink>.shop.orders}, may have messages of Kafka transactions that were aborted.
 */
final class SinkStage implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int TRANSACTIONS = 400;
    private static final int KEYS = 150;

    private final LocalCluster cluster;
    private final KafkaBrokers brokers;
    private final ApicurioRegistry registry;
    private final List<NodeProcess> sinks = new ArrayList<>();

    private SinkStage(LocalCluster cluster, KafkaBrokers brokers, ApicurioRegistry registry) {
        this.cluster = cluster;
        this.brokers = brokers;
        this.registry = registry;
    }

    /** Starts all and waits until the load is in Kafka. */
    static SinkStage start(Path folder) throws Exception {
        LocalCluster cluster = LocalCluster.withShards(
                folder, List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")), config -> config.withoutTls());
        SinkStage stage = new SinkStage(cluster, KafkaBrokers.one(), ApicurioRegistry.start());
        try {
            stage.fill();
            return stage;
        } catch (Exception e) {
            stage.close();
            throw e;
        }
    }

    private void fill() throws Exception {
        cluster.node().start();
        sink("canal", Map.of("sink.protocol", "canal-json"));
        sink("debezium", Map.of("sink.protocol", "debezium-json", "sink.debezium.decimals", "text"));
        sink("plain", Map.of("sink.protocol", "debezium-json", "sink.debezium.schemas", "false"));
        sink(
                "avro",
                Map.of(
                        "sink.protocol",
                        "avro",
                        "sink.registry",
                        registry.address().toString(),
                        "sink.avro.decimals",
                        "string"));
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.orders (id BIGINT PRIMARY KEY, name VARCHAR(50), amount DECIMAL(20,4) NOT NULL,"
                            + " n INT UNSIGNED, day DATE, at DATETIME(6))");
        }
        load(1);
        for (NodeProcess sink : sinks) {
            Await.until(
                    () -> "a commit; " + sink.facts() + sink.lastLines(),
                    LIMIT,
                    () -> sink.metric("tributary_sink_transactions_total") > 0);
        }
        for (MysqlServer shard : cluster.shards()) {
            shard.execute("ALTER TABLE shop.orders ADD COLUMN note VARCHAR(20)");
        }
        for (NodeProcess sink : sinks) {
            sink.kill9();
        }
        load(2);
        for (NodeProcess sink : sinks) {
            sink.launch();
        }
        cluster.awaitAllWritten(LIMIT);
        String all = cluster.gtidExecuted();
        for (NodeProcess sink : sinks) {
            Await.until(
                    () -> "all messages; " + sink.facts() + sink.lastLines(),
                    LIMIT,
                    () -> all.equals(sink.fact("sink.executed").orElse("")));
        }
    }

    private void sink(String name, Map<String, String> settings) {
        NodeProcess sink = cluster.newNode(name, config -> {
            config.set("node.role", "sink")
                    .set("admin.listen", "127.0.0.1:" + Ports.free())
                    .set("sink.nodes", "127.0.0.1:" + cluster.servePort())
                    .set("sink.name", name)
                    .set("sink.user", LocalCluster.READER.name())
                    .set("sink.password", LocalCluster.READER.password())
                    .set("sink.brokers", brokers.addresses())
                    .set("sink.topic", name + ".{schema}.{table}")
                    .set("sink.topic.partitions", "3")
                    .set("sink.dispatch", "*.*:key")
                    .set("sink.ddl", System.getProperty("sink.ddl", "none"));
            settings.forEach(config::set);
            return config;
        });
        sink.launch();
        sinks.add(sink);
    }

    private void load(long seed) throws SQLException {
        Random random = new Random(seed);
        for (int i = 0; i < cluster.shards().size(); i++) {
            try (Sql sql = cluster.shards().get(i).sql()) {
                for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
                    sql.execute("BEGIN");
                    for (int row = random.nextInt(4); row >= 0; row--) {
                        change(sql, i * 1_000_000L + random.nextInt(KEYS), random);
                    }
                    sql.execute("COMMIT");
                }
            }
        }
    }

    private static void change(Sql sql, long id, Random random) throws SQLException {
        String name = random.nextInt(8) == 0 ? "NULL" : "'n\u00e4me \\\" \ud83d\ude00 " + random.nextInt(1000) + "'";
        String amount = random.nextInt(1_000_000) + "." + random.nextInt(10_000);
        String moment = random.nextInt(8) == 0
                ? "NULL, NULL, NULL"
                : "4294967295 - " + random.nextInt(9) + ", DATE '2000-01-31' + INTERVAL " + random.nextInt(20_000)
                        + " DAY, TIMESTAMP '2026-11-27 01:02:03' + INTERVAL " + random.nextInt() + " MICROSECOND";
        sql.execute("REPLACE INTO shop.orders (id, name, amount, n, day, at) VALUES (" + id + ", " + name + ", "
                + amount + ", " + moment + ")");
        switch (random.nextInt(6)) {
            case 0 -> sql.execute("DELETE FROM shop.orders WHERE id = " + id);
            case 1 -> sql.execute("UPDATE shop.orders SET amount = amount + 0.0001, name = NULL WHERE id = " + id);
            case 2 ->
                sql.execute(
                        "DELETE FROM shop.orders WHERE id = " + (id + 5000),
                        "UPDATE shop.orders SET id = id + 5000 WHERE id = " + id);
            default -> {}
        }
    }

    /** The committed messages of a topic, in the order of each partition. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        return CommittedMessages.of(brokers.addresses(), topic::equals);
    }

    String brokers() {
        return brokers.addresses();
    }

    ApicurioRegistry registry() {
        return registry;
    }

    /** The rows of all shards, sorted; expressions of columns with | between their values. */
    List<String> rows(String... expressions) throws SQLException {
        String line = List.of(expressions).stream()
                .map(one -> "IFNULL(" + one + ", 'null')")
                .collect(Collectors.joining(", "));
        TreeSet<String> rows = new TreeSet<>();
        for (MysqlServer shard : cluster.shards()) {
            try (Sql sql = shard.sql()) {
                sql.rows("SELECT CONCAT_WS('|', " + line + ") line FROM shop.orders")
                        .forEach(row -> rows.add(row.get("line")));
            }
        }
        return List.copyOf(rows);
    }

    @Override
    public void close() {
        cluster.close();
        brokers.close();
        registry.close();
    }
}
