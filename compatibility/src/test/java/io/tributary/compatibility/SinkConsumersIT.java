package io.tributary.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consumers of the Kafka sink with the settings of docs/sink.md: what they make of the messages equals the tables of the shards. */
class SinkConsumersIT {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String DAYS = "DATEDIFF(day, '1970-01-01')";
    private static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at)";

    private static SinkStage stage;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        stage = SinkStage.start(Files.createDirectory(folder.resolve("cluster")));
    }

    @AfterAll
    static void stop() throws Exception {
        stage.close();
    }

    /** The lines that a program prints after "R ". */
    private static List<String> run(String name, List<String> command) throws Exception {
        Path output = folder.resolve(name + ".output");
        Path errors = folder.resolve(name + ".errors");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        try (ChildProcess program = ChildProcess.start(builder)) {
            boolean hasEnded = program.awaitExit(LIMIT);
            String tail = Files.readString(errors);
            assertTrue(
                    hasEnded && program.exitValue() == 0,
                    () -> name + " has failed: " + tail.substring(Math.max(0, tail.length() - 6_000)));
        }
        return Files.readAllLines(output).stream()
                .filter(line -> line.startsWith("R "))
                .map(line -> line.substring(2))
                .toList();
    }

    private static List<String> flink(String topic, String columns, String query, String... options) throws Exception {
        String table = "CREATE TABLE orders (" + columns + ") WITH ('connector' = 'kafka', 'topic' = '" + topic
                + "', 'properties.bootstrap.servers' = '" + stage.brokers()
                + "', 'properties.isolation.level' = 'read_committed', 'scan.startup.mode' = 'earliest-offset',"
                + " 'scan.bounded.mode' = 'latest-offset', " + String.join(", ", options) + ")";
        Map<String, Integer> counts = new TreeMap<>();
        List<String> lines =
                run(topic, JvmPrograms.java("flink-sql", "flinksql.FlinkSql", List.of(table, "SELECT " + query + " FROM orders")));
        for (String line : lines) {
            int space = line.indexOf(' ');
            int change = line.charAt(0) == '+' ? 1 : -1;
            counts.merge(line.substring(space + 1), change, Integer::sum);
        }
        counts.values().removeIf(count -> count == 0);
        assertEquals(Set.of(1), new HashSet<>(counts.values()), counts::toString);
        System.out.println(topic + ": Flink has read " + lines.size() + " changes, rows " + counts.size());
        return List.copyOf(counts.keySet());
    }

    @Test
    void flinkReadsCanalJson() throws Exception {
        assertEquals(
                stage.rows("id", "name", "amount", "n", "day", "at", "note"),
                flink(
                        "canal.shop.orders",
                        "id BIGINT, name STRING, amount DECIMAL(20, 4), n BIGINT, `day` DATE, `at` TIMESTAMP(6), note STRING",
                        "id, name, CAST(amount AS STRING), n, CAST(`day` AS STRING), CAST(`at` AS STRING), note",
                        "'format' = 'canal-json'"));
    }

    @Test
    void flinkReadsDebeziumJsonWithSchemas() throws Exception {
        flinkReadsDebezium("debezium", "'format' = 'debezium-json'", "'debezium-json.schema-include' = 'true'");
    }

    @Test
    void flinkReadsDebeziumJsonWithoutSchemas() throws Exception {
        flinkReadsDebezium("plain", "'format' = 'debezium-json'");
    }

    private static void flinkReadsDebezium(String sink, String... options) throws Exception {
        assertEquals(
                stage.rows("id", "name", "amount", "n", DAYS, MICROS, "note"),
                flink(
                        sink + ".shop.orders",
                        "id BIGINT, name STRING, amount DECIMAL(20, 4), n BIGINT, `day` INT, `at` BIGINT, note STRING",
                        "id, name, CAST(amount AS STRING), n, `day`, `at`, note",
                        options));
    }

    @Test
    void sparkReadsDebeziumJson() throws Exception {
        List<String> lines = run(
                "spark",
                JvmPrograms.java(
                        "spark",
                        "spark.SparkStream",
                        List.of(
                                stage.brokers(),
                                "plain.shop.orders",
                                "id BIGINT, name STRING, amount DECIMAL(20, 4), n BIGINT, day INT, at BIGINT, note STRING",
                                folder.resolve("checkpoints").toString())));
        Map<String, String> rows = new HashMap<>();
        Set<String> places = new HashSet<>();
        for (String line : lines) {
            String[] parts = line.split(" ", 4);
            String[] images = parts[3].split(" > ", -1);
            assertTrue(places.add(parts[0] + " " + parts[1] + " " + parts[2]), () -> "twice: " + line);
            if (!images[0].equals("-")) {
                assertEquals(images[0], rows.remove(images[0].split("\\|")[0]), line);
            }
            if (!images[1].equals("-")) {
                assertEquals(null, rows.put(images[1].split("\\|")[0], images[1]), line);
            }
        }
        System.out.println("Spark has read " + lines.size() + " changes, rows " + rows.size());
        List<String> found = new ArrayList<>(rows.values());
        found.sort(null);
        assertEquals(stage.rows("id", "name", "amount", "n", DAYS, MICROS, "note"), found);
    }
}
