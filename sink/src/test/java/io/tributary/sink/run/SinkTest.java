package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.sink.DdlTreatment;
import io.tributary.sink.Guarantee;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.avro.AvroFormat;
import io.tributary.sink.avro.AvroOptions;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.mask.ValueMask;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.open.OpenFormat;
import io.tributary.sink.route.TopicExpression;
import io.tributary.sink.simple.SimpleFormat;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.MysqlServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SinkTest {
    private static SinkRig rig;

    @BeforeAll
    static void start() {
        rig = new SinkRig(KafkaBrokers.one());
    }

    @AfterAll
    static void end() {
        rig.close();
    }

    @BeforeEach
    void clear() throws Exception {
        rig.clear();
    }

    @Test
    void sendsTheRowsOfATransactionWithTheirNumbers() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v VARCHAR(20))");
        rig.source()
                .execute(
                        "BEGIN",
                        "INSERT INTO shop.t VALUES (1, 'a'), (2, 'b')",
                        "UPDATE shop.t SET v = 'c' WHERE id = 1",
                        "DELETE FROM shop.t WHERE id = 2",
                        "COMMIT");
        SinkRig.Running run = rig.start(rig.plans().plan());
        run.awaitAll();
        run.stop();
        List<Received> all = rig.read("shop.t");
        assertEquals(
                List.of("INSERT shop.t 1,a", "INSERT shop.t 2,b", "UPDATE shop.t 1,a > 1,c", "DELETE shop.t 2,b"),
                all.stream().map(Received::value).toList());
        assertEquals(
                List.of(0L, 1L, 2L, 3L),
                all.stream().map(one -> one.headers().row()).toList());
        assertEquals(
                List.of(false, false, false, true),
                all.stream().map(one -> one.headers().isLast()).toList());
        assertEquals(4, run.sink().figures().rows());
    }

    private List<String> values(String topic) throws Exception {
        return rig.read(topic).stream().map(Received::value).toList();
    }

    private void createTable() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v VARCHAR(20))");
    }

    private SinkRig.Running runToEnd(SinkPlans plans) throws Exception {
        SinkRig.Running run = rig.start(plans.plan());
        run.awaitAll();
        run.stop();
        return run;
    }

    @Test
    void maskedValuesAreInNoMessageAndRowsAreDividedByTheirMasks() throws Exception {
        rig.source()
                .execute("CREATE DATABASE shop", "CREATE TABLE shop.t (mail VARCHAR(40) PRIMARY KEY, v VARCHAR(20))");
        rig.source()
                .execute(
                        "INSERT INTO shop.t VALUES ('a@x', 'one'), ('b@x', NULL)",
                        "UPDATE shop.t SET v = 'two' WHERE mail = 'a@x'",
                        "UPDATE shop.t SET mail = 'c@x' WHERE mail = 'a@x'");
        SinkPlans plans = rig.plans();
        plans.rules = List.of("*.*:key");
        plans.masks = new ColumnMasks(
                (table, column) -> Optional.of(column.equals("mail") ? ValueMask.HASH : ValueMask.STARS),
                "0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        runToEnd(plans);
        List<Received> all = rig.read("shop.t");
        List<String> kinds = all.stream()
                .sorted(Comparator.<Received>comparingLong(
                                one -> Gtid.parse(one.headers().gtid()).gno())
                        .thenComparing(one -> one.headers().row())
                        .thenComparing(one -> one.headers().split()))
                .map(one -> one.value().replaceAll("[0-9a-f]{32}", "hash"))
                .toList();
        assertEquals(
                List.of(
                        "INSERT shop.t hash,*****",
                        "INSERT shop.t hash,NULL",
                        "UPDATE shop.t hash,***** > hash,*****",
                        "DELETE shop.t hash,*****",
                        "INSERT shop.t hash,*****"),
                kinds);
    }

    /** With several workers too: a registry compares a version with the one before it. */
    @Test
    void schemasAreRegisteredOnceAndInTheOrderOfTheStream() throws Exception {
        createTable();
        rig.source().execute("ALTER TABLE shop.t MODIFY v LONGTEXT");
        int versions = 12;
        for (int version = 1; version <= versions; version++) {
            for (int row = 0; row < 3; row++) {
                rig.source()
                        .execute(
                                "INSERT INTO shop.t (id, v) VALUES (" + (10 * version + row) + ", REPEAT('x', 70000))");
            }
            rig.source().execute("ALTER TABLE shop.t ADD COLUMN c" + version + " INT");
        }
        Map<String, Integer> ids = new ConcurrentHashMap<>();
        List<String> registered = Collections.synchronizedList(new ArrayList<>());
        SinkPlans plans = rig.plans();
        plans.workers = 4;
        plans.format = new AvroFormat(FormatOptions.of("s"), AvroOptions.standard(), (subject, schema) -> {
            if (subject.endsWith("-key")) {
                return 1;
            }
            Integer known = ids.get(schema);
            if (known != null) {
                return known;
            }
            LockSupport.parkNanos(Duration.ofMillis(schema.length() % 50).toNanos());
            registered.add(schema.replaceAll(".*\\{\"name\":\"(c\\d+|v)\".*", "$1"));
            return ids.computeIfAbsent(schema, any -> ids.size() + 2);
        });
        runToEnd(plans);
        List<String> expected = new ArrayList<>(List.of("v"));
        for (int version = 1; version < versions; version++) {
            expected.add("c" + version);
        }
        assertEquals(expected, registered);
        assertEquals(3L * versions, rig.read("shop.t").size());
    }

    /** The simple protocol has definitions in messages of their own. */
    @Test
    void eachPartitionHasTheDefinitionBeforeTheFirstRowOfAVersion() throws Exception {
        createTable();
        for (int i = 0; i < 30; i++) {
            rig.source().execute("INSERT INTO shop.t VALUES (" + i + ", 'a')");
        }
        rig.source().execute("ALTER TABLE shop.t ADD COLUMN w INT");
        for (int i = 30; i < 60; i++) {
            rig.source().execute("INSERT INTO shop.t VALUES (" + i + ", 'a', 1)");
        }
        SinkPlans plans = rig.plans();
        plans.format = new SimpleFormat();
        plans.rules = List.of("*.*:key");
        runToEnd(plans);
        List<Received> all = rig.read("shop.t");
        for (int partition = 0; partition < plans.partitions; partition++) {
            int only = partition;
            List<String> kinds = all.stream()
                    .filter(one -> one.partition() == only)
                    .map(one -> one.value().contains("BOOTSTRAP") ? "definition" : "row")
                    .toList();
            assertTrue(kinds.size() > 4, kinds.toString());
            assertEquals("definition", kinds.get(0));
            assertEquals(2, kinds.stream().filter("definition"::equals).count(), kinds.toString());
            assertTrue(kinds.subList(1, kinds.lastIndexOf("definition")).contains("row"), kinds.toString());
        }
        assertEquals(60, all.stream().filter(one -> one.headers().row() >= 0).count());
    }

    /** The key of open-protocol has the place of the row. */
    @Test
    void eachMessageOfOpenProtocolHasAKey() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')", "UPDATE shop.t SET v = 'b'");
        SinkPlans plans = rig.plans();
        plans.format = new OpenFormat();
        runToEnd(plans);
        List<Received> all = rig.read("shop.t");
        assertEquals(2, all.size());
        for (Received one : all) {
            assertTrue(one.key().contains("\"scm\":\"shop\",\"tbl\":\"t\",\"t\":1"), one.key());
        }
    }

    @Test
    void resumesAfterThePlaceOfTheRunBefore() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        runToEnd(rig.plans());
        rig.source().execute("INSERT INTO shop.t VALUES (2, 'b')");
        SinkRig.Running second = runToEnd(rig.plans());
        assertEquals(List.of("INSERT shop.t 1,a", "INSERT shop.t 2,b"), values("shop.t"));
        assertEquals(1, second.sink().figures().rows());
        assertEquals(
                rig.last(),
                second.sink().position().committed().orElseThrow().gtid().gno());
    }

    @Test
    void beginsAfterTheStartOfThePlan() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        SinkPlans plans = rig.plans();
        plans.start = Optional.of(GtidSet.parse(rig.source().gtidExecuted()));
        rig.source().execute("INSERT INTO shop.t VALUES (2, 'b')");
        runToEnd(plans);
        assertEquals(List.of("INSERT shop.t 2,b"), values("shop.t"));
    }

    @Test
    void aChangedKeyIsSplitAndEachKeyStaysInItsPartition() throws Exception {
        createTable();
        SinkPlans plans = rig.plans();
        plans.rules = List.of("shop.*:key");
        plans.partitions = 8;
        for (int i = 0; i < 20; i++) {
            rig.source()
                    .execute(
                            "INSERT INTO shop.t VALUES (" + i + ", 'a')",
                            "UPDATE shop.t SET v = 'b' WHERE id = " + i,
                            "UPDATE shop.t SET id = " + (100 + i) + " WHERE id = " + i,
                            "UPDATE shop.t SET v = 'c' WHERE id = " + (100 + i));
        }
        runToEnd(plans);
        List<Received> all = rig.read("shop.t");
        Map<String, Set<Integer>> partitions = new HashMap<>();
        for (Received one : all) {
            String key = one.value().replaceAll("^\\w+ shop.t (\\d+),.*", "$1");
            partitions.computeIfAbsent(key, k -> new HashSet<>()).add(one.partition());
        }
        assertEquals(40, partitions.size());
        partitions.forEach((key, found) -> assertEquals(1, found.size(), () -> key + " " + found));
        assertTrue(all.stream().map(Received::partition).distinct().count() > 4);
        List<Received> first = all.stream()
                .filter(one -> one.value().matches("\\w+ shop.t (7|107),.*"))
                .sorted(Comparator.comparing(Received::gno)
                        .thenComparing(one -> one.headers().split()))
                .toList();
        assertEquals(
                List.of(
                        "INSERT shop.t 7,a",
                        "UPDATE shop.t 7,a > 7,b",
                        "DELETE shop.t 7,b",
                        "INSERT shop.t 107,b",
                        "UPDATE shop.t 107,b > 107,c"),
                first.stream().map(Received::value).toList());
        assertEquals(
                List.of("", "", "delete", "insert", ""),
                first.stream().map(one -> one.headers().split()).toList());
        assertEquals(
                List.of(true, true, false, true, true),
                first.stream().map(one -> one.headers().isLast()).toList());
    }

    @Test
    void textsThatAreEqualByTheirCollationAreInOnePartition() throws Exception {
        rig.source()
                .execute(
                        "CREATE DATABASE shop",
                        "CREATE TABLE shop.t (name VARCHAR(30) COLLATE utf8mb4_0900_ai_ci, v INT, PRIMARY KEY (name))");
        List<String> names = List.of("Muller", "MULLER", "m\u00fcller", "M\u00dcLLER");
        SinkPlans plans = rig.plans();
        plans.rules = List.of("shop.t:columns(name)");
        plans.partitions = 16;
        for (String name : names) {
            rig.source().execute("REPLACE INTO shop.t VALUES ('" + name + "', 1)");
        }
        rig.source().execute("INSERT INTO shop.t VALUES ('other1', 1), ('other2', 2), ('other3', 3), ('other4', 4)");
        runToEnd(plans);
        List<Received> all = rig.read("shop.t");
        assertEquals(
                1,
                all.stream()
                        .filter(one -> one.value().toLowerCase(Locale.ROOT).matches("(?s).*m.ller.*"))
                        .map(Received::partition)
                        .distinct()
                        .count());
        assertTrue(all.stream().map(Received::partition).distinct().count() > 1);
    }

    @Test
    void theRowsOfATransactionAreInOnePartitionByTransactionDispatch() throws Exception {
        createTable();
        SinkPlans plans = rig.plans();
        plans.rules = List.of("*.*:transaction");
        for (int i = 0; i < 20; i++) {
            rig.source().execute("INSERT INTO shop.t VALUES (" + 2 * i + ", 'a'), (" + (2 * i + 1) + ", 'b')");
        }
        runToEnd(plans);
        List<Received> all = rig.read("shop.t");
        Map<String, Set<Integer>> partitions = new HashMap<>();
        all.forEach(one -> partitions
                .computeIfAbsent(one.headers().gtid(), gtid -> new HashSet<>())
                .add(one.partition()));
        assertEquals(20, partitions.size());
        partitions.values().forEach(found -> assertEquals(1, found.size()));
        assertEquals(3, all.stream().map(Received::partition).distinct().count());
    }

    @Test
    void statementsAndWatermarksAreInOrderWithRows() throws Exception {
        createTable();
        SinkPlans plans = rig.plans();
        plans.ddl = DdlTreatment.ALL;
        plans.watermark = Duration.ofMillis(1);
        plans.rules = List.of("*.*:key");
        for (int i = 0; i < 30; i++) {
            rig.source().execute("INSERT INTO shop.t VALUES (" + i + ", 'a')");
        }
        SinkRig.Running run = rig.start(plans.plan());
        run.awaitAll(); // a MySQL server does not know earlier definitions
        rig.source().execute("ALTER TABLE shop.t ADD COLUMN w INT", "INSERT INTO shop.t VALUES (100, 'a', 5)");
        run.awaitAll();
        run.stop();
        List<Received> all = rig.read("shop.t");
        long alter = all.stream()
                .filter(one -> one.value().startsWith("DDL ALTER"))
                .findFirst()
                .orElseThrow()
                .gno();
        for (int partition = 0; partition < 3; partition++) {
            int number = partition;
            List<Received> own =
                    all.stream().filter(one -> one.partition() == number).toList();
            assertTrue(own.stream().anyMatch(one -> one.value().startsWith("DDL CREATE TABLE")));
            assertTrue(own.stream().anyMatch(one -> one.value().startsWith("DDL ALTER")));
            assertTrue(own.stream().anyMatch(one -> one.value().startsWith("UPTO")));
            long upTo = 0;
            boolean isAltered = false;
            for (Received one : own) {
                if (one.value().startsWith("UPTO")) {
                    upTo = Long.parseLong(one.value().replaceAll(".*:", ""));
                } else {
                    assertTrue(one.gno() > upTo, one::toString);
                    isAltered |= one.value().startsWith("DDL ALTER");
                    assertTrue(isAltered ? one.gno() >= alter : one.gno() < alter, one::toString);
                }
            }
        }
        assertEquals(2, run.sink().figures().statements());
    }

    @Test
    void topicsOfEarlierRunsReceiveWatermarksAndStatementsOfTheirSchema() throws Exception {
        createTable();
        rig.source().execute("CREATE TABLE shop.u (id INT PRIMARY KEY)", "CREATE TABLE shop.gone (id INT PRIMARY KEY)");
        rig.source()
                .execute(
                        "INSERT INTO shop.t VALUES (1, 'a')",
                        "INSERT INTO shop.u VALUES (1)",
                        "INSERT INTO shop.gone VALUES (1)");
        SinkPlans plans = rig.plans();
        plans.ddl = DdlTreatment.FIRST;
        plans.watermark = Duration.ofMillis(1);
        runToEnd(plans);
        try (Admin admin = rig.admin()) {
            admin.deleteTopics(List.of("shop.gone")).all().get();
        }
        SinkRig.Running run = rig.start(plans.plan());
        rig.source().execute("INSERT INTO shop.t VALUES (2, 'a')");
        long newest = rig.last();
        Await.until(
                "the watermark of transaction " + newest,
                SinkRig.LIMIT,
                () -> values("shop.u").stream()
                        .anyMatch(value -> value.startsWith("UPTO") && value.endsWith(":" + newest)));
        rig.source().execute("DROP DATABASE shop");
        run.awaitAll();
        run.stop();
        assertTrue(values("shop.u").stream().anyMatch(value -> value.startsWith("DDL DROP DATABASE")));
        try (Admin admin = rig.admin()) {
            assertTrue(!admin.listTopics().names().get().contains("shop.gone"));
        }
    }

    @Test
    void theTransactionTopicHasBeginAndEndWithCounts() throws Exception {
        createTable();
        rig.source().execute("CREATE TABLE shop.u (id INT PRIMARY KEY)");
        SinkPlans plans = rig.plans();
        plans.transactions = Optional.of("transactions");
        rig.source()
                .execute(
                        "BEGIN",
                        "INSERT INTO shop.t VALUES (1, 'a'), (2, 'b')",
                        "INSERT INTO shop.u VALUES (1)",
                        "COMMIT");
        runToEnd(plans);
        List<Received> all = rig.read("transactions");
        assertEquals(2, all.size());
        String id = rig.source().uuid() + ":" + rig.last();
        assertEquals("{\"id\":\"" + id + "\"}", all.get(0).key());
        assertTrue(all.get(0).value().startsWith("{\"status\":\"BEGIN\",\"id\":\"" + id), all.get(0)::toString);
        assertTrue(
                all.get(1)
                        .value()
                        .endsWith(
                                "\"event_count\":3,\"data_collections\":[{\"data_collection\":\"shop.t\",\"event_count\":2},"
                                        + "{\"data_collection\":\"shop.u\",\"event_count\":1}]}"),
                all.get(1)::toString);
    }

    @Test
    void aMessageThatIsTooLargeStopsAfterAllBeforeIt() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v LONGTEXT)");
        rig.source()
                .execute(
                        "INSERT INTO shop.t VALUES (1, 'a')",
                        "INSERT INTO shop.t VALUES (2, REPEAT('x', 300000))",
                        "INSERT INTO shop.t VALUES (3, 'c')");
        SinkPlans plans = rig.plans();
        plans.messageBytes = 200_000;
        String message = rig.start(plans.plan())
                .failure(ErrorCode.SINK_MESSAGE_TOO_LARGE)
                .getMessage();
        assertTrue(message.contains("shop.t") && message.contains("id=2") && message.contains("200000"), message);
        assertEquals(List.of("INSERT shop.t 1,a"), values("shop.t"));
        Map<String, byte[]> stored = new ConcurrentHashMap<>();
        plans.large = LargeMessages.claimCheck((name, content) -> {
            stored.put(name, content);
            return "store/" + name;
        });
        runToEnd(plans);
        String name = stored.keySet().iterator().next();
        assertEquals(
                List.of("INSERT shop.t 1,a", "LARGE shop.t 2 store/" + name, "INSERT shop.t 3,c"), values("shop.t"));
        String claim = new String(stored.get(name), StandardCharsets.UTF_8);
        String value = claim.replaceAll(".*\"value\":\"([^\"]*)\".*", "$1");
        assertEquals(
                "INSERT shop.t 2," + "x".repeat(300_000),
                new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
    }

    @Test
    void theBrokersLimitCountsAfterCompressionAndIsNamed() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v LONGTEXT)");
        rig.source().execute("INSERT INTO shop.t VALUES (1, REPEAT('x', 3000000))");
        SinkPlans plans = rig.plans();
        runToEnd(plans);
        assertEquals(
                3_000_000 + "INSERT shop.t 1,".length(), values("shop.t").get(0).length());
        StringBuilder random = new StringBuilder();
        Random draws = new Random(1);
        while (random.length() < 2_500_000) {
            random.append(Long.toHexString(draws.nextLong()));
        }
        rig.source().execute("INSERT INTO shop.t VALUES (77, '" + random + "')");
        String message = rig.start(plans.plan())
                .failure(ErrorCode.SINK_MESSAGE_TOO_LARGE)
                .getMessage();
        assertTrue(
                message.contains("table shop.t") && message.contains("id=77") && message.contains("max.message.bytes"),
                message);
    }

    @Test
    void topicsThatCollideAreRefusedUnlessTheyAreShared() throws Exception {
        rig.source()
                .execute(
                        "CREATE DATABASE shop",
                        "CREATE TABLE shop.`a+b` (id INT PRIMARY KEY)",
                        "CREATE TABLE shop.`a-b` (id INT PRIMARY KEY)",
                        "CREATE TABLE shop.`a*b` (id INT PRIMARY KEY)",
                        "INSERT INTO shop.`a+b` VALUES (1)",
                        "INSERT INTO shop.`a-b` VALUES (2)",
                        "INSERT INTO shop.`a*b` VALUES (3)");
        SinkPlans plans = rig.plans();
        String message =
                rig.start(plans.plan()).failure(ErrorCode.SINK_TABLE_UNFIT).getMessage();
        assertTrue(message.contains("shop.a+b") && message.contains("shop.a*b"), message);
        plans.topics = new TopicExpression("all");
        plans.name = "shared";
        runToEnd(plans);
        assertEquals(3, rig.read("all").size());
    }

    @Test
    void aTableWithoutAKeyIsRefusedUnderKeyDispatch() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT)", "INSERT INTO shop.t VALUES (1)");
        SinkPlans plans = rig.plans();
        plans.rules = List.of("shop.t:key");
        String message =
                rig.start(plans.plan()).failure(ErrorCode.SINK_TABLE_UNFIT).getMessage();
        assertTrue(message.contains("shop.t"), message);
    }

    @Test
    void aTopicThatMayNotBeCreatedIsNamed() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        SinkPlans plans = rig.plans();
        plans.mayCreate = false;
        String message =
                rig.start(plans.plan()).failure(ErrorCode.SINK_TOPIC_UNFIT).getMessage();
        assertTrue(message.contains("tributary-progress"), message);
        try (Admin admin = rig.admin()) {
            admin.createTopics(List.of(new NewTopic("tributary-progress", 1, (short) 1)
                            .configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        }
        message = rig.start(plans.plan()).failure(ErrorCode.SINK_TOPIC_UNFIT).getMessage();
        assertTrue(message.contains("shop.t"), message);
    }

    @Test
    void changedPartitionsAreRefusedUnderKeyDispatchUnlessAccepted() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        SinkPlans plans = rig.plans();
        plans.rules = List.of("*.*:key");
        runToEnd(plans);
        try (Admin admin = rig.admin()) {
            admin.createPartitions(Map.of("shop.t", NewPartitions.increaseTo(5)))
                    .all()
                    .get();
        }
        rig.source().execute("INSERT INTO shop.t VALUES (2, 'b')");
        String message = rig.start(plans.plan())
                .failure(ErrorCode.SINK_PARTITIONS_CHANGED)
                .getMessage();
        assertTrue(message.contains("shop.t") && message.contains("3") && message.contains("5"), message);
        plans.acceptsPartitions = true;
        runToEnd(plans);
        plans.acceptsPartitions = false;
        runToEnd(plans);
        assertEquals(2, values("shop.t").size());
    }

    @Test
    void aTransactionTimeoutThatTheBrokersDoNotAllowIsRefused() throws Exception {
        SinkPlans plans = rig.plans();
        plans.timeouts = new SinkPlan.Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofHours(1));
        String message = rig.start(plans.plan()).failure(ErrorCode.SINK_REFUSED).getMessage();
        assertTrue(message.contains("transaction.max.timeout.ms"), message);
    }

    @Test
    void atLeastOnceSendsTheRowsAndThePlace() throws Exception {
        RowLoad.create(rig.source());
        long first = rig.last() + 1;
        new RowLoad(rig.source()).run(0, new Random(5), 300);
        SinkPlans plans = rig.plans();
        plans.guarantee = Guarantee.AT_LEAST_ONCE;
        plans.rules = List.of("*.*:key");
        SinkRig.Running run = rig.start(plans.plan());
        run.awaitAll();
        run.stop();
        ReplayCheck.check(rig.read("shop.t"), rig.source(), first, rig.last());
        new RowLoad(rig.source()).run(0, new Random(6), 100);
        run = rig.start(plans.plan());
        run.awaitAll();
        run.stop();
        ReplayCheck.check(rig.read("shop.t"), rig.source(), first, rig.last());
    }

    @Test
    void theProgressOfAnotherStreamIsRefused() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        runToEnd(rig.plans());
        try (MysqlServer other = SinkRig.source("other")) {
            String message = rig.start(rig.sink(rig.plans().plan()), other)
                    .failure(ErrorCode.SINK_OTHER_STREAM)
                    .getMessage();
            assertTrue(
                    message.contains(other.uuid())
                            && message.contains(rig.source().uuid()),
                    message);
        }
    }

    @Test
    void aPurgedPlaceIsReported() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        runToEnd(rig.plans());
        rig.source().execute("INSERT INTO shop.t VALUES (2, 'b')", "FLUSH BINARY LOGS");
        String newest = rig.source()
                .binlogFiles()
                .get(rig.source().binlogFiles().size() - 1)
                .getFileName()
                .toString();
        rig.source().execute("PURGE BINARY LOGS TO '" + newest + "'");
        String message =
                rig.start(rig.plans().plan()).failure(ErrorCode.READER_REFUSED).getMessage();
        assertTrue(message.contains("1236") || message.contains("purged"), message);
    }

    @Test
    void theFirstOfTwoSinksOfOneNameStopsAndDoesNotFight() throws Exception {
        createTable();
        rig.source().execute("INSERT INTO shop.t VALUES (1, 'a')");
        SinkRig.Running first = rig.start(rig.plans().plan());
        first.awaitAll();
        SinkRig.Running second = rig.start(rig.plans().plan());
        Await.until(
                "a run", SinkRig.LIMIT, () -> second.sink().position().read().isPresent());
        rig.source().execute("INSERT INTO shop.t VALUES (2, 'b')");
        first.failure(ErrorCode.SINK_FENCED);
        rig.start(first.sink(), rig.source()).failure(ErrorCode.SINK_FENCED);
        second.awaitAll();
        rig.start(first.sink(), rig.source()).failure(ErrorCode.SINK_FENCED);
        rig.source().execute("INSERT INTO shop.t VALUES (3, 'c')");
        second.awaitAll();
        second.stop();
        assertEquals(List.of("INSERT shop.t 1,a", "INSERT shop.t 2,b", "INSERT shop.t 3,c"), values("shop.t"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLongTransactionIsRefusedOrSplit(boolean hasPlace) throws Exception {
        RowLoad.create(rig.source());
        rig.source()
                .execute(
                        hasPlace
                                ? "INSERT INTO shop.t VALUES (-1, 0, '')"
                                : "CREATE TABLE shop.other (id INT PRIMARY KEY)");
        long first = rig.last() + (hasPlace ? 0 : 1);
        Optional<GtidSet> before = hasPlace
                ? Optional.empty()
                : Optional.of(GtidSet.parse(rig.source().gtidExecuted()));
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            rows.append(i == 0 ? "" : ",").append("(").append(i).append(",1,REPEAT('x', 200))");
        }
        List<String> statements = new ArrayList<>(List.of("BEGIN"));
        for (int i = 0; i < 40; i++) {
            statements.add(i % 2 == 0 ? "INSERT INTO shop.t VALUES " + rows : "DELETE FROM shop.t WHERE id >= 0");
        }
        statements.add("COMMIT");
        rig.source().execute(statements.toArray(String[]::new));
        SinkPlans plans = rig.plans();
        plans.format = new SlowFormat(new TextFormat(false), 200_000);
        plans.workers = 1;
        plans.start = before;
        plans.timeouts = new SinkPlan.Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(1));
        rig.start(plans.plan()).failure(ErrorCode.SINK_TRANSACTION_TOO_LONG);
        plans.splits = true;
        SinkRig.Running run = rig.start(plans.plan());
        Await.until("a part", SinkRig.LIMIT, () -> run.sink().figures().commits() > 3 || run.hasEnded());
        run.stop();
        runToEnd(plans);
        ReplayCheck.check(rig.read("shop.t"), rig.source(), first, rig.last());
    }
}
