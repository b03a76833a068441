package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.replay.session.Peer;
import io.tributary.sink.Guarantee;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.mask.ValueMask;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.route.TopicExpression;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of a server whose replication is stopped are sent before the stream. */
class SnapshotTest {
    private static final List<String> TABLES =
            List.of("bytes", "composite", "down", "kinds", "nokey", "none", "parts", "prefix", "real", "uniq");

    private static SinkRig rig;
    private static SnapshotServerRig snapshot;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        rig = new SinkRig(KafkaBrokers.one());
        snapshot = new SnapshotServerRig(rig);
    }

    @AfterAll
    static void end() {
        snapshot.close();
        rig.close();
    }

    @BeforeEach
    void clear() throws Exception {
        rig.clear();
        snapshot.clear();
    }

    private static SinkPlans plans() {
        SinkPlans plans = rig.plans();
        plans.snapshot = Optional.of(SinkRig.snapshot(snapshot.server().port()));
        return plans;
    }

    private static void createTable() throws Exception {
        rig.source()
                .execute(
                        "CREATE DATABASE shop",
                        "CREATE TABLE shop.t (id INT PRIMARY KEY, v VARCHAR(20))",
                        "INSERT INTO shop.t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    }

    private static List<String> values(String topic) throws Exception {
        return rig.read(topic).stream().map(Received::value).toList();
    }

    private static void runToEnd(SinkPlans plans) throws Exception {
        SinkRig.Running run = rig.start(plans.plan());
        run.awaitAll();
        run.stop();
    }

    @Test
    void theRowsOfTheSnapshotComeBeforeTheStream() throws Exception {
        createTable();
        rig.source().execute("UPDATE shop.t SET v = 'd' WHERE id = 2", "DELETE FROM shop.t WHERE id = 3");
        snapshot.fill();
        long place = rig.last();
        rig.source().execute("INSERT INTO shop.t VALUES (4, 'x')", "UPDATE shop.t SET v = 'y' WHERE id = 1");
        runToEnd(plans());
        List<Received> all = rig.read("shop.t");
        assertEquals(
                List.of("INSERT shop.t 1,a", "INSERT shop.t 2,d", "INSERT shop.t 4,x", "UPDATE shop.t 1,a > 1,y"),
                all.stream().map(Received::value).toList());
        assertEquals(
                List.of(place, place, place + 1, place + 2),
                all.stream().map(Received::gno).toList());
        assertEquals(
                List.of(0L, 1L, 0L, 0L),
                all.stream().map(one -> one.headers().row()).toList());
        assertEquals(
                List.of(true, true, false, false),
                all.stream().map(one -> one.headers().isSnapshot()).toList());
        assertEquals(
                List.of(false, true, true, true),
                all.stream().map(one -> one.headers().isLast()).toList());
    }

    @Test
    void aSinkWithProgressIgnoresTheSnapshot() throws Exception {
        createTable();
        snapshot.fill();
        runToEnd(plans());
        rig.source().execute("INSERT INTO shop.t VALUES (4, 'x')");
        snapshot.server().execute("START REPLICA");
        runToEnd(plans());
        assertEquals(
                List.of("INSERT shop.t 1,a", "INSERT shop.t 2,b", "INSERT shop.t 3,c", "INSERT shop.t 4,x"),
                values("shop.t"));
    }

    @Test
    void aSnapshotWithoutRowsGivesTheStartOfTheStream() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v VARCHAR(20))");
        snapshot.fill();
        rig.source().execute("INSERT INTO shop.t VALUES (4, 'x')");
        runToEnd(plans());
        assertEquals(List.of("INSERT shop.t 4,x"), values("shop.t"));
    }

    @Test
    void debeziumReadsRowsOfTheSnapshot() throws Exception {
        createTable();
        snapshot.fill();
        rig.source().execute("INSERT INTO shop.t VALUES (4, 'x')");
        SinkPlans plans = plans();
        plans.format = new DebeziumFormat(FormatOptions.of("s"));
        plans.transactions = Optional.of("marks");
        runToEnd(plans);
        List<String> all = values("shop.t");
        assertEquals(4, all.size());
        for (int i = 0; i < 4; i++) {
            String value = all.get(i);
            assertTrue(value.contains(i < 3 ? "\"op\":\"r\"" : "\"op\":\"c\""), value);
            assertTrue(value.contains("\"snapshot\":\"" + (i < 3) + "\""), value);
        }
        assertEquals(2, values("marks").size()); // of the stream only
    }

    // ---- all kinds of tables

    /** Each table has more rows than a part, and a part has more bytes than a slot of the sink. */
    private static void createTables() throws Exception {
        try (Sql sql = rig.source().sql()) {
            sql.execute(
                    "SET NAMES utf8mb4",
                    "SET SESSION cte_max_recursion_depth = 100000, sql_mode = ''",
                    "CREATE DATABASE shop CHARACTER SET utf8mb4",
                    "USE shop",
                    "CREATE TABLE composite (a VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, b CHAR(5) CHARACTER SET latin1, c INT, v INT,"
                            + " PRIMARY KEY (a, b, c))",
                    "CREATE TABLE down (a INT, b BIGINT UNSIGNED, PRIMARY KEY (a DESC, b))",
                    "CREATE TABLE none (a INT PRIMARY KEY)",
                    "CREATE TABLE kinds (e ENUM('z','y','x'), s SET('q','p'), d DECIMAL(12,3), t TIMESTAMP(2), b BIT(20),"
                            + " PRIMARY KEY (e, s, d, t, b))",
                    "CREATE TABLE `real` (f FLOAT, d DOUBLE, m DATETIME(6), PRIMARY KEY (f, d, m))",
                    "CREATE TABLE bytes (a BINARY(4), b VARBINARY(10), PRIMARY KEY (a, b))",
                    "CREATE TABLE nokey (a INT, b VARCHAR(50), KEY (a, b))",
                    "CREATE TABLE prefix (a VARCHAR(200), v INT, PRIMARY KEY (a(150)))",
                    "CREATE TABLE parts (a INT PRIMARY KEY, v INT) PARTITION BY HASH (a) PARTITIONS 3",
                    "CREATE TABLE uniq (a INT, b VARCHAR(20) NOT NULL, UNIQUE KEY (a), UNIQUE KEY k (b))");
            for (String table : TABLES) {
                sql.execute("ALTER TABLE `" + table + "` ADD COLUMN pad VARCHAR(100) NOT NULL DEFAULT '"
                        + "p".repeat(100) + "' INVISIBLE");
            }
            String numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT ";
            sql.execute(
                    "INSERT INTO composite " + numbers
                            + "ELT(1 + i % 5, 'ä', 'B', '', '😀', 'it''s'), ELT(1 + i % 3, 'é', 'x', ''), i, i FROM n",
                    "INSERT INTO down " + numbers + "i % 40, 18446744073709551615 - i FROM n",
                    "INSERT INTO kinds " + numbers
                            + "1 + i % 3, i % 4, (i - 1500) / 8, FROM_UNIXTIME(1000000 + i % 7 + 0.25), i" + " FROM n",
                    "INSERT INTO `real` " + numbers
                            + "(i % 9) / 10, (i - 1000) / 3, '2020-01-01' + INTERVAL i MICROSECOND FROM n",
                    "INSERT INTO bytes " + numbers
                            + "UNHEX(LPAD(HEX(i % 50), 4, '0')), UNHEX(LPAD(HEX(i), 6, '0')) FROM n",
                    "INSERT INTO nokey " + numbers
                            + "(i * 7919) % 100, IF(i % 11 = 0, NULL, REPEAT('x', i % 5)) FROM n",
                    "INSERT INTO prefix " + numbers
                            + "CONCAT(ELT(1 + i % 2, 'Ä', 'b'), i, REPEAT(' y', i % 70)), i FROM n",
                    "INSERT INTO parts " + numbers + "i * 3, i FROM n",
                    "INSERT INTO uniq " + numbers + "NULLIF(i, 5), CONCAT('k', i * 7919 % 3001) FROM n");
        }
    }

    /** The messages of a sink that has read all from the binlog are those of the snapshot. */
    private static void requireAllRows() throws Exception {
        SinkPlans whole = rig.plans();
        whole.name = "whole";
        whole.topics = new TopicExpression("{schema}.{table}.log");
        runToEnd(whole);
        List<Long> numbers = new ArrayList<>();
        for (String table : TABLES) {
            List<Received> found = rig.read("shop." + table);
            List<String> expected =
                    values("shop." + table + ".log").stream().sorted().toList();
            assertEquals(expected, found.stream().map(Received::value).sorted().toList(), () -> "rows of " + table);
            assertTrue(found.stream().allMatch(one -> one.headers().isSnapshot()));
            assertTrue(table.equals("none") || found.size() == 3000, table);
            found.forEach(one -> numbers.add(one.headers().row()));
        }
        assertEquals(
                LongStream.range(0, numbers.size()).boxed().toList(),
                numbers.stream().sorted().toList());
    }

    @Test
    void theRowsOfAllKindsOfTablesAreThoseOfTheBinlog() throws Exception {
        createTables();
        snapshot.fill();
        runToEnd(plans());
        requireAllRows();
    }

    @Test
    void aCopyIsResumedAfterEachPart() throws Exception {
        createTables();
        snapshot.fill();
        SinkPlans plans = plans();
        plans.format = new SlowFormat(new TextFormat(false), 10_000);
        plans.workers = 1;
        plans.memory = 4 << 20;
        plans.commit = new SinkPlan.Commit(Duration.ofMillis(1), 1, 1000);
        int runs = 0;
        long before = 0;
        for (boolean isAll = false; !isAll; runs++) {
            SinkRig.Running run = rig.start(plans.plan());
            long rows = before;
            Await.until("more rows", SinkRig.LIMIT, () -> {
                assertFalse(run.hasEnded());
                return run.sink().position().committed().isPresent()
                        || run.sink()
                                .position()
                                .copy()
                                .filter(place -> place.rows() > rows)
                                .isPresent();
            });
            run.stop();
            isAll = run.sink().position().committed().isPresent();
            before = run.sink().position().copy().map(place -> place.rows()).orElse(rows);
        }
        assertTrue(runs > 4, "runs " + runs);
        requireAllRows();
    }

    /** The place of a copy has the key of the last row, but not of a table whose key is masked. */
    @Test
    void aCopyWithAMaskedKeyIsResumedAndDoesNotShowIt() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (mail VARCHAR(40) PRIMARY KEY, v INT)");
        int rows = 9000;
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            values.append(i == 0 ? "" : ",")
                    .append("('user-")
                    .append(i)
                    .append("@x',")
                    .append(i)
                    .append(')');
        }
        rig.source().execute("INSERT INTO shop.t VALUES " + values);
        snapshot.fill();
        SinkPlans plans = plans();
        plans.masks = new ColumnMasks(
                (table, column) -> column.equals("mail") ? Optional.of(ValueMask.HASH) : Optional.empty(),
                "0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
        plans.format = new SlowFormat(new TextFormat(false), 100_000);
        plans.workers = 1;
        plans.commit = new SinkPlan.Commit(Duration.ofMillis(1), 1, 1000);
        SinkRig.Running run = rig.start(plans.plan());
        awaitPart(run);
        run.stop();
        assertTrue(run.sink().position().committed().isEmpty());
        plans.format = new TextFormat(false);
        runToEnd(plans);
        List<String> found = values("shop.t");
        assertEquals(rows, found.size());
        assertEquals(rows, Set.copyOf(found).size());
        String places = String.join(" ", values("tributary-progress"));
        assertTrue(places.contains("\"snapshot\""), places);
        assertFalse(places.contains("user-") || places.contains("757365722d"), places);
    }

    /**
     * Each sink can send some parts only, so that three of them cannot send all. What it can send is enough for the place that is awaited: a place is
     * stored at the end of each part of at most 2000 rows, the end of a part is sent with the next rows, and a slot has less than 600 rows.
     */
    @Test
    void everyRowArrivesOnceWhileTheSinkIsKilled() throws Exception {
        createTables();
        snapshot.fill();
        Random random = new Random(17);
        int kills = 0;
        for (long before = 0; before < Long.MAX_VALUE; kills++) {
            long until = before + 1 + random.nextInt(3000);
            ChildProcess sink = SinkProcess.start(
                    rig,
                    Guarantee.EXACTLY_ONCE,
                    folder.resolve("sink.log"),
                    snapshot.server().port(),
                    until + 4000);
            try {
                Await.until("rows " + until, SinkRig.LIMIT, () -> rowsAtPlace() >= until);
            } finally {
                sink.close();
            }
            before = rowsAtPlace();
        }
        assertTrue(kills > 3, "kills " + kills);
        requireAllRows();
    }

    /** What was sent of a part cannot be committed before its end; until then there is nothing to do. */
    @Test
    void theSenderWaitsWithoutWorkForTheRestOfAPart() throws Exception {
        createTables();
        snapshot.fill();
        SinkPlans plans = plans();
        plans.format = new SlowFormat(new TextFormat(false), 0, 7500);
        plans.commit = new SinkPlan.Commit(Duration.ofMillis(1), 1, 1000);
        AtomicLong calls = new AtomicLong();
        SinkRig.Running run = rig.start(
                rig.sink(plans.plan(), new Clock() {
                    @Override
                    public long nanoTime() {
                        calls.incrementAndGet();
                        return SYSTEM.nanoTime();
                    }

                    @Override
                    public long epochMicros() {
                        return SYSTEM.epochMicros();
                    }
                }),
                rig.source());
        Await.until(
                "messages of a part that has not ended",
                SinkRig.LIMIT,
                () -> run.sink().figures().messages() > 7000
                        && run.sink()
                                .position()
                                .copy()
                                .filter(place -> place.rows() > 5000)
                                .isPresent());
        long before = calls.get();
        long since = Clock.SYSTEM.nanoTime();
        Await.until("a second", SinkRig.LIMIT, () -> Clock.SYSTEM.nanoTime() - since > 1_000_000_000);
        long perSecond = calls.get() - before;
        assertTrue(perSecond < 500, "calls of the clock: " + perSecond);
        run.stop();
    }

    /** The rows that the place in Kafka has; the greatest number after the end of the copy. */
    private static long rowsAtPlace() throws Exception {
        List<Received> places = rig.readNow("tributary-progress");
        if (places.isEmpty()) {
            return 0;
        }
        String place = places.get(places.size() - 1).value();
        return place.contains("\"snapshot\"")
                ? Long.parseLong(place.replaceAll(".*\"rows\":(\\d+).*", "$1"))
                : Long.MAX_VALUE;
    }

    // ---- the join

    @Test
    void aConsumersTableIsThatOfTheSourceWhileALoadWrites() throws Exception {
        RowLoad.create(rig.source());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            RowLoad load = new RowLoad(rig.source());
            List<CompletableFuture<Void>> running = IntStream.range(0, 2)
                    .mapToObj(connection -> load.start(threads, connection, 17))
                    .toList();
            snapshot.follow();
            long from = SnapshotServerRig.last(snapshot.server().gtidExecuted());
            Await.until(
                    "transactions",
                    SinkRig.LIMIT,
                    () -> SnapshotServerRig.last(snapshot.server().gtidExecuted()) > from + 100);
            snapshot.stop();
            SinkPlans plans = plans();
            plans.rules = List.of("*.*:key");
            SinkRig.Running run = rig.start(plans.plan());
            Await.until(
                    "the stream",
                    SinkRig.LIMIT,
                    () -> run.sink().position().committed().isPresent());
            load.stop();
            running.forEach(CompletableFuture::join);
            run.awaitAll();
            run.stop();
        } finally {
            threads.shutdownNow();
        }
        List<Received> all = rig.read("shop.t");
        assertTrue(all.stream().anyMatch(one -> one.headers().isSnapshot()));
        assertTrue(all.stream().anyMatch(one -> !one.headers().isSnapshot()));
        assertEquals(table(), replay(all));
    }

    private static Map<String, String> replay(List<Received> all) {
        Map<String, String> table = new TreeMap<>();
        for (Received one : all) {
            String[] words = one.value().split(" ", 3);
            String[] images = words[2].split(" > ", -1);
            String key = images[0].substring(0, images[0].indexOf(','));
            if (words[0].equals("INSERT")) {
                assertEquals(null, table.put(key, words[2]), one::toString);
            } else {
                assertEquals(images[0], table.remove(key), one::toString);
            }
            if (words[0].equals("UPDATE")) {
                table.put(images[1].substring(0, images[1].indexOf(',')), images[1]);
            }
        }
        return table;
    }

    private static Map<String, String> table() throws Exception {
        Map<String, String> table = new TreeMap<>();
        try (Sql sql = rig.source().sql()) {
            for (var row : sql.rows("SELECT * FROM shop.t")) {
                table.put(row.get("id"), row.get("id") + "," + row.get("v") + "," + row.get("note"));
            }
        }
        return table;
    }

    // ---- servers that do not fit

    private static void awaitPart(SinkRig.Running run) {
        Await.until("a part", SinkRig.LIMIT, () -> {
            assertFalse(run.hasEnded());
            return run.sink().position().copy().isPresent();
        });
    }

    private static TributaryException refused(SinkPlans plans) throws Exception {
        return rig.start(plans.plan()).failure(ErrorCode.SINK_SNAPSHOT_UNFIT);
    }

    private static void assertMentions(TributaryException found, String... words) {
        for (String word : words) {
            assertTrue(found.getMessage().contains(word), () -> word + " in " + found.getMessage());
        }
    }

    @Test
    void aServerWhoseApplierRunsIsRefused() throws Exception {
        createTable();
        snapshot.fill();
        snapshot.server().execute("START REPLICA SQL_THREAD");
        assertMentions(refused(plans()), "applier", "STOP REPLICA SQL_THREAD");
        assertEquals(List.of(), values("shop.t"));
        snapshot.stop();
        runToEnd(plans());
        assertEquals(3, values("shop.t").size());
    }

    @Test
    void aServerThatHasChangedIsRefusedUntilItIsRestored() throws Exception {
        createTables();
        snapshot.fill();
        SinkPlans plans = plans();
        plans.format = new SlowFormat(new TextFormat(false), 10_000);
        plans.commit = new SinkPlan.Commit(Duration.ofMillis(1), 1, 1000);
        SinkRig.Running run = rig.start(plans.plan());
        awaitPart(run);
        run.stop();
        assertEquals(
                rig.last(), run.sink().position().oldest().orElseThrow().gtid().gno());
        assertEquals(Optional.empty(), run.sink().position().committed());
        String executed = snapshot.server().gtidExecuted();
        rig.source().execute("INSERT INTO shop.none VALUES (1)");
        snapshot.server().execute("START REPLICA SQL_THREAD");
        Await.until(
                "a change",
                SinkRig.LIMIT,
                () -> !snapshot.server().gtidExecuted().equals(executed));
        snapshot.stop();
        assertMentions(refused(plans), "restore the server", "another sink.name");
        plans.snapshot = Optional.empty();
        assertMentions(refused(plans), "sink.snapshot", "only a part");
    }

    @Test
    void aServerThatChangesDuringTheCopyIsRefused() throws Exception {
        createTables();
        snapshot.fill();
        rig.source().execute("INSERT INTO shop.none VALUES (1)");
        SinkPlans plans = plans();
        plans.format = new SlowFormat(new TextFormat(false), 100_000);
        plans.workers = 1;
        plans.memory = 4 << 20;
        plans.commit = new SinkPlan.Commit(Duration.ofMillis(1), 1, 1000);
        SinkRig.Running run = rig.start(plans.plan());
        awaitPart(run);
        String executed = snapshot.server().gtidExecuted();
        snapshot.server().execute("START REPLICA SQL_THREAD");
        Await.until(
                "a change",
                SinkRig.LIMIT,
                () -> run.hasEnded() || !snapshot.server().gtidExecuted().equals(executed));
        TributaryException found = run.failure(ErrorCode.SINK_SNAPSHOT_UNFIT);
        assertMentions(found, "snapshot server");
    }

    @Test
    void aServerWithAGapIsRefused() throws Exception {
        createTable();
        snapshot.fill();
        snapshot.server().execute("STOP REPLICA");
        String sid = rig.source().uuid();
        snapshot.server()
                .execute(
                        "SET GTID_NEXT = '" + sid + ":" + (rig.last() + 2) + "'",
                        "BEGIN",
                        "COMMIT",
                        "SET GTID_NEXT = AUTOMATIC");
        assertMentions(refused(plans()), "without a gap", "SQL_AFTER_MTS_GAPS");
    }

    @Test
    void aServerWithOtherTransactionsIsRefused() throws Exception {
        createTable();
        assertMentions(refused(plans()), "no transaction", "tributary seed");
        snapshot.fill();
        snapshot.server()
                .execute(
                        "SET GTID_NEXT = '00000000-0000-0000-0000-000000000001:1'",
                        "BEGIN",
                        "COMMIT",
                        "SET GTID_NEXT = AUTOMATIC");
        assertMentions(
                refused(plans()), "the transactions of the stream only", "00000000-0000-0000-0000-000000000001:1");
        assertEquals(List.of(), values("shop.t"));
    }

    @Test
    void aPlaceThatTheStreamDoesNotHaveIsRefused() throws Exception {
        createTable();
        snapshot.fill();
        String sid = rig.source().uuid();
        long next = rig.last() + 1;
        snapshot.server()
                .execute("SET GTID_NEXT = '" + sid + ":" + next + "'", "BEGIN", "COMMIT", "SET GTID_NEXT = AUTOMATIC");
        assertMentions(refused(plans()), sid + ":" + next, "a place that the stream");
        rig.source().execute("INSERT INTO shop.t VALUES (4, 'x')"); // the node has it now
        runToEnd(plans());
    }

    @Test
    void aPlaceAfterWhichTheStreamIsPurgedIsRefused() throws Exception {
        createTable();
        snapshot.fill();
        rig.source().execute("INSERT INTO shop.t VALUES (4, 'x')", "FLUSH BINARY LOGS");
        String file = rig.source().text("SHOW MASTER STATUS");
        rig.source().execute("PURGE BINARY LOGS TO '" + file + "'");
        assertMentions(refused(plans()), "purged");
        assertEquals(List.of(), values("shop.t"));
    }

    @Test
    void anAccountWithoutRightsIsRefused() throws Exception {
        createTable();
        snapshot.fill();
        snapshot.server()
                .execute("SET sql_log_bin = 0", "DROP USER IF EXISTS few", "CREATE USER few IDENTIFIED BY 'pw'");
        int port = snapshot.server().port();
        SinkPlans plans = plans();
        plans.snapshot = Optional.of(Peer.snapshot(Endpoint.of("127.0.0.1", port, "few", "pw"), SinkRig.LIMIT));
        assertMentions(refused(plans), "GRANT SELECT ON *.* TO 'few'");
        plans.snapshot = Optional.of(Peer.snapshot(Endpoint.of("127.0.0.1", port, "few", "other"), SinkRig.LIMIT));
        assertMentions(refused(plans), "a login as");
        plans.snapshot = Optional.of(Peer.snapshot(Endpoint.of("127.0.0.1", 1, "few", "pw"), SinkRig.LIMIT));
        rig.start(plans.plan()).failure(ErrorCode.SINK_SNAPSHOT_UNREACHABLE);
        snapshot.server().execute("SET sql_log_bin = 0", "GRANT SELECT ON *.* TO few");
        plans.snapshot = Optional.of(Peer.snapshot(Endpoint.of("127.0.0.1", port, "few", "pw"), SinkRig.LIMIT));
        runToEnd(plans);
        assertEquals(3, values("shop.t").size());
    }
}
