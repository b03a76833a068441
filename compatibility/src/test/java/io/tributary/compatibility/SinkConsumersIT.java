package io.tributary.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.PythonTool;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Consumers of the Kafka sink with the settings of docs/sink.md: what they make of the messages equals the tables of the shards. */
class SinkConsumersIT {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String DAYS = "DATEDIFF(day, '1970-01-01')";
    private static final String MICROS = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', at)";

    private static final String ONLY = System.getProperty("matrix.only", "");
    private static final Path PROGRAMS =
            Path.of(System.getProperty("tributary.home"), "compatibility/src/clients/clickhouse");

    private static SinkStage stage;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(ONLY.isEmpty() || "consumers of the sink".matches(ONLY), "-Dmatrix.only=" + ONLY);
        stage = SinkStage.start(Files.createDirectory(folder.resolve("cluster")));
    }

    @AfterAll
    static void stop() throws Exception {
        if (stage != null) {
            stage.close();
        }
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
        List<String> lines = run(
                topic,
                JvmPrograms.java("flink-sql", "flinksql.FlinkSql", List.of(table, "SELECT " + query + " FROM orders")));
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
                assertEquals(images[0], rows.remove(images[0].split("\\|", 2)[0]), line);
            }
            if (!images[1].equals("-")) {
                assertEquals(null, rows.put(images[1].split("\\|", 2)[0], images[1]), line);
            }
        }
        System.out.println("Spark has read " + lines.size() + " changes, rows " + rows.size());
        List<String> found = new ArrayList<>(rows.values());
        found.sort(null);
        assertEquals(stage.rows("id", "name", "amount", "n", DAYS, MICROS, "note"), found);
    }

    /** What ClickHouse, chDB for Python, reads from a file with the values of messages; its table engine Kafka does not run in chDB. */
    private static List<String> clickHouse(String query) throws Exception {
        return new PythonTool(PROGRAMS)
                .run("read_file.py", query).stream()
                        .filter(line -> line.startsWith("R "))
                        .map(line -> line.substring(2))
                        .toList();
    }

    @Test
    void clickHouseReadsValuesOfCanalJson() throws Exception {
        assumeTrue(PythonTool.isHere(), "Python with pip");
        Path file = folder.resolve("canal.json");
        try (OutputStream out = Files.newOutputStream(file)) {
            for (ConsumerRecord<byte[], byte[]> message : stage.read("canal.shop.orders")) {
                out.write(message.value());
                out.write('\n');
            }
        }
        String columns = Stream.of("id", "name", "amount", "n", "day", "at", "note")
                .map(column -> "ifNull(data[1]['" + column + "'], 'null')")
                .collect(Collectors.joining(", '|', "));
        List<String> lines = clickHouse("SELECT concat(JSONExtractString(json, 'type'), ' ', " + columns
                + ") FROM (SELECT json, JSONExtract(json, 'data', 'Array(Map(String, Nullable(String)))') data FROM file('"
                + file + "', 'JSONAsString', 'json String')) SETTINGS max_threads = 1");
        Map<String, String> rows = new HashMap<>();
        for (String line : lines) {
            String after = line.substring(line.indexOf(' ') + 1);
            String id = after.substring(0, after.indexOf('|'));
            if (line.startsWith("DELETE ")) {
                assertEquals(after, rows.remove(id));
            } else {
                rows.put(id, after);
            }
        }
        System.out.println("ClickHouse has read " + lines.size() + " changes in canal-json, rows " + rows.size());
        assertEquals(
                stage.rows("id", "name", "amount", "n", "day", "at", "note"),
                List.copyOf(new TreeSet<>(rows.values())));
    }

    @Test
    void clickHouseReadsValuesOfAvro() throws Exception {
        assumeTrue(PythonTool.isHere(), "Python with pip");
        Path file = folder.resolve("values.avro");
        List<ConsumerRecord<byte[], byte[]>> messages = stage.read("avro.shop.orders");
        try (OutputStream out = Files.newOutputStream(file)) {
            for (ConsumerRecord<byte[], byte[]> message : messages) {
                if (message.value() != null) {
                    out.write(message.value());
                }
            }
        }
        List<String> lines = clickHouse(
                "SELECT concat(toString(id), '|', ifNull(name, 'null'), '|', amount, '|', ifNull(toString(n), 'null'), '|',"
                        + " ifNull(day, 'null'), '|', ifNull(at, 'null'), '|', ifNull(note, 'null')) FROM file('" + file
                        + "', 'AvroConfluent', 'id Int64, name Nullable(String), amount String, n Nullable(Int64),"
                        + " day Nullable(String), at Nullable(String), note Nullable(String)') SETTINGS max_threads = 1,"
                        + " input_format_avro_allow_missing_fields = 1, format_avro_schema_registry_url = '"
                        + stage.registry().address() + "'");
        Map<String, String> rows = new HashMap<>();
        Iterator<String> next = lines.iterator();
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            String key = HexFormat.of().formatHex(message.key());
            if (message.value() == null) {
                assertTrue(rows.remove(key) != null, key);
            } else {
                rows.put(key, next.next());
            }
        }
        System.out.println("ClickHouse has read " + lines.size() + " rows in avro, rows " + rows.size());
        assertEquals(
                stage.rows("id", "name", "amount", "n", "day", "at", "note"),
                List.copyOf(new TreeSet<>(rows.values())));
    }
}
