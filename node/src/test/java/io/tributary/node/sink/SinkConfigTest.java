package io.tributary.node.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.replay.session.Peer;
import io.tributary.sink.ClaimStore;
import io.tributary.sink.DdlTreatment;
import io.tributary.sink.Guarantee;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.avro.AvroFormat;
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.mask.ValueMask;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.HiddenColumns;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.open.OpenFormat;
import io.tributary.sink.route.Dispatcher;
import io.tributary.sink.route.TopicExpression;
import io.tributary.sink.simple.SimpleFormat;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkConfigTest {
    @TempDir
    private Path folder;

    private static SinkConfig read(String... more) {
        List<String> lines = new ArrayList<>(List.of("sink.nodes = a:3307, b:3308", "sink.brokers = k:9092, l:9093"));
        lines.addAll(List.of(more));
        return new ConfigReader(List.of(SinkConfig.class))
                .read("test", lines, Map.of())
                .get(SinkConfig.class);
    }

    private static SinkPlan plan(String... more) {
        SinkConfig keys = read(more);
        return new SinkPlans(SinkFormats.of(keys), ClaimStore.NONE).of(keys);
    }

    @Test
    void defaults() {
        SinkPlan plan = plan();
        assertEquals("tributary", plan.name());
        assertEquals(
                Map.of(
                        "bootstrap.servers",
                        "k:9092,l:9093",
                        "security.protocol",
                        "PLAINTEXT",
                        "compression.type",
                        "lz4"),
                plan.target().settings());
        assertEquals(
                new SinkPlan.Topics(TopicExpression.BY_TABLE, 1, (short) -1, true, false),
                plan.target().topics());
        assertEquals("tributary-progress", plan.target().progressTopic());
        assertEquals(Optional.empty(), plan.target().transactionsTopic());
        assertInstanceOf(CanalFormat.class, plan.messages().format());
        assertEquals(Dispatcher.TABLE, plan.messages().rules().of(new TableName("shop", "orders")));
        assertEquals(DdlTreatment.FIRST, plan.messages().ddl());
        assertTrue(plan.messages().hasHeaders());
        assertTrue(plan.messages().selection().tables().test(new TableName("shop", "orders")));
        assertEquals(
                new SinkPlan.Delivery(
                        Guarantee.EXACTLY_ONCE,
                        LargeMessages.ERROR,
                        false,
                        Duration.ofSeconds(1),
                        Optional.empty(),
                        Optional.empty()),
                plan.delivery());
        assertEquals(
                new SinkPlan.Limits(
                        2,
                        64 << 20,
                        new SinkPlan.Commit(Duration.ofMillis(100), 20_000, 32 << 20),
                        10 << 20,
                        new SinkPlan.Timeouts(Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(15))),
                plan.limits());
        assertEquals(FormatOptions.of("tributary"), read().messages().options("tributary"));
    }

    @Test
    void theServerOfASnapshotIsInThePlan() {
        SinkPlan plan = plan(
                "sink.snapshot = 10.0.0.9:3306",
                "sink.snapshot.user = reader",
                "sink.snapshot.password = secret",
                "sink.snapshot.tls = required",
                "sink.timeout = 20s");
        Peer server = plan.delivery().snapshot().orElseThrow();
        assertEquals("snapshot server 10.0.0.9:3306", server.toString());
        assertEquals("reader", server.endpoint().credentials().user());
        assertEquals(Duration.ofSeconds(20), server.timeout());
    }

    @Test
    void aStartAndASnapshotAreNotPossibleTogether() {
        TributaryException found = assertThrows(
                TributaryException.class,
                () -> read("sink.start = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5", "sink.snapshot = a:3306"));
        assertTrue(found.getMessage().contains("sink.snapshot"), found.getMessage());
    }

    @Test
    void eachProtocolHasItsFormat() {
        assertEquals(
                List.of(
                        CanalFormat.class,
                        DebeziumFormat.class,
                        AvroFormat.class,
                        OpenFormat.class,
                        SimpleFormat.class),
                List.of("canal-json", "debezium-json", "avro", "open-protocol", "simple").stream()
                        .<Class<? extends MessageFormat>>map(name -> SinkFormats.of(
                                        read("sink.protocol = " + name, "sink.registry = http://127.0.0.1:1"))
                                .getClass())
                        .toList());
    }

    @Test
    void rulesAreSeparatedByCommasOutsideOfParentheses() {
        SinkPlan plan = plan(
                "sink.dispatch = shop.orders:key, shop.log*:columns(a, b), shop.free:none",
                "sink.tables = shop.*, !shop.secret*");
        assertEquals(Dispatcher.KEY, plan.messages().rules().of(new TableName("shop", "orders")));
        assertEquals(
                new Dispatcher(Dispatcher.Kind.COLUMNS, List.of("a", "b")),
                plan.messages().rules().of(new TableName("shop", "log_1")));
        assertEquals(Dispatcher.NONE, plan.messages().rules().of(new TableName("shop", "free")));
        assertEquals(Dispatcher.TABLE, plan.messages().rules().of(new TableName("shop", "other")));
        assertTrue(plan.messages().selection().tables().test(new TableName("shop", "")), "statements about the schema");
        assertFalse(plan.messages().selection().tables().test(new TableName("shop", "secrets")));
        assertFalse(plan.messages().selection().tables().test(new TableName("crm", "")));
    }

    @Test
    void columnsAreHiddenByPatterns() {
        ColumnPatterns patterns = ColumnPatterns.parse("sink.columns.hidden", "shop.users.password, *.*.secret_*");
        assertTrue(patterns.matches(new TableName("shop", "users"), "PASSWORD"));
        assertTrue(patterns.matches(new TableName("crm", "people"), "secret_name"));
        assertFalse(patterns.matches(new TableName("shop", "users"), "name"));
        assertFalse(patterns.matches(new TableName("crm", "users"), "password"));
        assertEquals(
                HiddenColumns.class,
                SinkFormats.of(read("sink.columns.hidden = *.*.secret")).getClass());
    }

    @Test
    void theFirstPatternThatFitsChoosesTheMask() {
        MaskPatterns patterns = MaskPatterns.parse("shop.users.email:hash, shop.*.phone:null, *.*.e*:stars");
        assertEquals(Optional.of(ValueMask.HASH), patterns.of(new TableName("shop", "users"), "email"));
        assertEquals(Optional.of(ValueMask.NULL), patterns.of(new TableName("shop", "orders"), "phone"));
        assertEquals(Optional.of(ValueMask.STARS), patterns.of(new TableName("crm", "users"), "EMAIL"));
        assertEquals(Optional.empty(), patterns.of(new TableName("crm", "users"), "phone"));
        assertTrue(patterns.hasHash());
        SinkPlan plan = plan("sink.columns.masked = *.*.email:hash", "sink.mask.key = 0123456789abcdef");
        assertNotSame(ColumnMasks.NONE, plan.messages().selection().masks());
        assertSame(ColumnMasks.NONE, plan("").messages().selection().masks());
    }

    @Test
    void whatUsersChooseIsInThePlan() {
        SinkPlan plan = plan(
                "sink.name = other",
                "sink.start = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5",
                "sink.delivery = at-least-once",
                "sink.large = split",
                "sink.large-message = handle-key",
                "sink.message.bytes = 1MiB",
                "sink.ddl = topic:statements",
                "sink.topic = all_{schema}",
                "sink.topic.create = false",
                "sink.topic.partitions = 12",
                "sink.topic.replication = 3",
                "sink.partitions.changed = accept",
                "sink.transactions.topic = borders",
                "sink.headers = false",
                "sink.watermark = 0s",
                "sink.kafka.compression = none");
        assertEquals(
                new SinkPlan.Topics(new TopicExpression("all_{schema}"), 12, (short) 3, false, true),
                plan.target().topics());
        assertEquals(Optional.of("borders"), plan.target().transactionsTopic());
        assertEquals("none", plan.target().settings().get("compression.type"));
        assertEquals(DdlTreatment.to("statements"), plan.messages().ddl());
        assertFalse(plan.messages().hasHeaders());
        assertEquals(Guarantee.AT_LEAST_ONCE, plan.delivery().guarantee());
        assertEquals(LargeMessages.Kind.HANDLE_KEY, plan.delivery().large().kind());
        assertTrue(plan.delivery().splitsTransactions());
        assertEquals(Duration.ZERO, plan.delivery().watermark());
        assertEquals(5, plan.delivery().start().orElseThrow().count());
        assertEquals(1 << 20, plan.limits().messageBytes());
    }

    @Test
    void aPasswordCannotLeaveItsQuotes() throws IOException {
        Path pem = Files.writeString(folder.resolve("ca.pem"), "PEM");
        Map<String, Object> settings = plan(
                        "sink.kafka.security = sasl-ssl",
                        "sink.kafka.sasl = scram-sha-256",
                        "sink.kafka.user = u",
                        "sink.kafka.password = a\"b; x=\\\\",
                        "sink.kafka.tls.ca = " + pem)
                .target()
                .settings();
        assertEquals("SASL_SSL", settings.get("security.protocol"));
        assertEquals("SCRAM-SHA-256", settings.get("sasl.mechanism"));
        String expected = "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"u\" password=";
        String found = settings.get("sasl.jaas.config").toString();
        assertTrue(found.startsWith(expected + "\"a\\\"b; x=\\\\"), found);
        assertTrue(found.endsWith("\";"), found);
        assertEquals("PEM", settings.get("ssl.truststore.certificates"));
        assertEquals("PEM", settings.get("ssl.truststore.type"));
        Files.delete(pem);
        TributaryException thrown = assertThrows(
                TributaryException.class, () -> plan("sink.kafka.security = ssl", "sink.kafka.tls.ca = " + pem));
        assertSame(ErrorCode.TLS_UNUSABLE, thrown.code());
        assertTrue(thrown.getMessage().startsWith("sink.kafka.tls.ca: "), thrown.getMessage());
    }

    @Test
    void wrongValuesAreNamed() {
        for (String line : List.of(
                "sink.name = my stream",
                "sink.name = " + "x".repeat(33),
                "sink.start = 5",
                "sink.snapshot = a",
                "sink.tables = a.b.c",
                "sink.columns.hidden = shop.users",
                "sink.columns.masked = shop.users:hash",
                "sink.columns.masked = shop.users.email",
                "sink.columns.masked = shop.users.email:upper",
                "sink.topic = a b",
                "sink.dispatch = shop.orders",
                "sink.dispatch = shop.orders:sometimes",
                "sink.dispatch = shop.orders:columns()",
                "sink.progress.topic = a/b",
                "sink.transactions.topic = a b",
                "sink.ddl = topic:",
                "sink.ddl = some",
                "sink.protocol = csv",
                "sink.registry = registry:8081",
                "sink.kafka.tls.certificate = /x",
                "sink.kafka.delivery.timeout = 5s",
                "sink.commit.interval = 0s",
                "sink.message.bytes = 2GiB",
                "sink.memory = 1MiB")) {
            TributaryException thrown = assertThrows(TributaryException.class, () -> read(line), line);
            assertEquals(ErrorCode.CONFIG_INVALID, thrown.code());
            String key = line.substring(0, line.indexOf(' '));
            assertTrue(thrown.getMessage().contains(key + ": "), thrown.getMessage());
        }
        TributaryException user =
                assertThrows(TributaryException.class, () -> read("sink.kafka.security = sasl-plaintext"));
        assertTrue(user.getMessage().contains("sink.kafka.user: "), user.getMessage());
        TributaryException registry = assertThrows(TributaryException.class, () -> read("sink.protocol = avro"));
        assertTrue(registry.getMessage().contains("sink.registry: "), registry.getMessage());
    }

    @Test
    void missingLibrariesAreNamed() throws IOException {
        assertEquals(Optional.empty(), SinkLibraries.problem());
        try (URLClassLoader none = new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader())) {
            String problem = SinkLibraries.problem(none).orElseThrow();
            assertTrue(
                    problem.contains("org.apache.kafka.clients.producer.KafkaProducer")
                            && problem.contains("tributary-sink-<version>.tar.gz"),
                    problem);
        }
    }
}
