package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of statements that wait for other members, and of questions to an operator, which hold one shard: they are shown immediately, rows of other
 * shards are still replicated, every proposed command ends them, and a killed node returns to the same state.
 */
class DdlHoldIT {
    private static final int PARTIAL = 1000;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number -> DdlCluster.start(
            folder.resolve("cluster-" + number),
            2,
            config -> config.set("ddl.warn", "300ms").set("ddl.rows", "refuse")));

    @Test
    void aTruncateOnOneMemberIsShownWithinASecond() throws Exception {
        createOrders("seen");
        long quickest = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            cluster().mark();
            cluster().on(1, "TRUNCATE TABLE seen.orders_0");
            long arrived = System.nanoTime();
            Await.until(
                    () -> "the statement on the status page: "
                            + cluster().node().facts(),
                    DdlCluster.LIMIT,
                    () -> cluster().node().facts().entrySet().stream()
                            .anyMatch(fact -> fact.getKey().startsWith("ddl.")
                                    && fact.getValue().contains("seen.orders")));
            quickest = Math.min(quickest, System.nanoTime() - arrived);
            cluster().assertNone("TRUNCATE");
            if (round == 0) {
                assertListedCompletely(cluster().awaitWaiting("TRUNCATE", "seen.orders"));
            }
            truncateOrders("seen", 1, 1);
            truncateOrders("seen", 2, 0, 1);
            cluster().awaitReplicated();
            cluster().assertOnce("TRUNCATE");
        }
        cluster().awaitNothingListed();
        assertTrue(quickest < Duration.ofSeconds(1).toNanos(), "it was shown after " + quickest / 1_000_000 + " ms");
    }

    private static void assertListedCompletely(DdlStatement waiting) throws Exception {
        assertEquals(List.of("s1:seen.orders_0"), waiting.has());
        assertEquals(
                List.of("s1:seen.orders_1", "s2:seen.orders_0", "s2:seen.orders_1"),
                waiting.lacks().stream().sorted().toList());
        assertEquals("seen.orders", waiting.table());
        assertEquals("s1", waiting.shard());
        assertEquals(lastGtid(1, each -> each.queries().toString().contains("seen.orders_0")), waiting.gtid());
        for (String command : List.of("ddl emit ", "ddl ignore ", "ddl done ", "ddl skip ")) {
            assertTrue(
                    waiting.commands().stream().anyMatch(each -> each.contains(command + waiting.id())),
                    () -> command + "in " + waiting.commands());
        }
        String json = cluster().commands().run("ddl", "list", "-o", "json").output();
        for (String field : List.of("class", "since.seconds", "file", "offset", "message")) {
            assertTrue(json.contains('"' + field + '"'), () -> field + " in " + json);
        }
        assertTrue(cluster().commands().run("ddl", "list").output().contains("seen.orders"));
        assertTrue(
                cluster().commands().run("ddl", "show", waiting.id()).output().contains("seen.orders"));
        assertEquals(1, shownToClients("seen.orders"));
    }

    /** The number of rows of SHOW TRIBUTARY DDL that contain this. */
    private static long shownToClients(String part) throws SQLException {
        try (Sql sql =
                Sql.open(cluster().cluster().servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            return sql.rows("SHOW TRIBUTARY DDL").stream()
                    .map(Map::values)
                    .filter(row -> row.toString().contains(part))
                    .count();
        }
    }

    @Test
    void emitWritesAWaitingStatementAndLeavesOutTheRowsOfMembersThatLackIt() throws Exception {
        DdlStatement waiting = truncateOneMember("let_out");
        cluster().commands().assertRefused(List.of("--accept-loss"), "ddl", "emit", waiting.id());
        cluster().assertNone("TRUNCATE");
        cluster().commands().assertDone("ddl", "emit", waiting.id(), "--accept-loss");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM let_out.orders");
        cluster().assertOnce("TRUNCATE");
        cluster().on(2, "INSERT INTO let_out.orders_0 VALUES (300, 0)");
        truncateOrders("let_out", 1, 1);
        truncateOrders("let_out", 2, 0, 1);
        cluster().on(2, "INSERT INTO let_out.orders_0 VALUES (301, 0)");
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().assertUnion("let_out");
        cluster().awaitNothingListed();
    }

    @Test
    void ignoreChangesOnlyTheMemberAndNothingIsWritten() throws Exception {
        DdlStatement waiting = truncateOneMember("ignored");
        cluster().commands().assertDone("ddl", "ignore", waiting.id(), "--member", "s1:ignored.orders_0");
        cluster().awaitReplicated();
        cluster().assertNone("TRUNCATE");
        assertRows("5", "ignored");
        cluster().awaitNothingListed();
        cluster().on(2, "INSERT INTO ignored.orders_1 VALUES (300, 0)");
        cluster().awaitReplicated();
        assertRows("6", "ignored");
    }

    @Test
    void doneStopsWaitingForOtherMembers() throws Exception {
        DdlStatement waiting = truncateOneMember("finished");
        cluster().commands().assertRefused(List.of("--accept-loss"), "ddl", "done", waiting.id());
        cluster().commands().assertDone("ddl", "done", waiting.id(), "--accept-loss");
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().awaitNothingListed();
        assertRows("1", "finished");
        cluster().on(2, "INSERT INTO finished.orders_1 VALUES (300, 0)");
        cluster().awaitReplicated();
        assertRows("2", "finished");
    }

    @Test
    void skipLeavesTheStatementOut() throws Exception {
        DdlStatement waiting = truncateOneMember("skipped");
        cluster().commands().assertDone("ddl", "skip", waiting.id());
        cluster().awaitReplicated();
        cluster().assertNone("TRUNCATE");
        assertRows("5", "skipped");
        cluster().awaitNothingListed();
        cluster().killAndRestart();
        cluster().on(1, "INSERT INTO skipped.orders_0 VALUES (300, 0)");
        cluster().awaitReplicated();
        assertRows("6", "skipped");
        cluster().awaitNothingListed();
    }

    /** Creates four members with a row each; the first one runs TRUNCATE and then inserts a row, and its shard waits. */
    private static DdlStatement truncateOneMember(String schema) throws Exception {
        createOrders(schema);
        cluster().mark();
        cluster()
                .on(1, "TRUNCATE TABLE " + schema + ".orders_0", "INSERT INTO " + schema + ".orders_0 VALUES (200, 0)");
        DdlStatement waiting = cluster().awaitWaiting("TRUNCATE", schema + ".orders");
        assertRows("4", schema);
        return waiting;
    }

    @Test
    void aKilledNodeReturnsToAWaitingStatement() throws Exception {
        truncateOneMember("killed");
        cluster().killAndRestart();
        cluster().awaitWaiting("TRUNCATE", "killed.orders");
        truncateOrders("killed", 2, 0);
        cluster().on(2, "INSERT INTO killed.orders_0 VALUES (300, 0)");
        cluster().killAndRestart();
        cluster().awaitLacking(List.of("s1:killed.orders_1", "s2:killed.orders_1"), "TRUNCATE", "killed.orders");
        truncateOrders("killed", 2, 1);
        truncateOrders("killed", 1, 1);
        cluster().awaitReplicated();
        cluster().killAndRestart();
        cluster().on(1, "INSERT INTO killed.orders_1 VALUES (301, 0)");
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().assertUnion("killed");
        cluster().awaitNothingListed();
    }

    @Test
    void aKilledNodeStillLeavesOutTheRowsOfMembersThatLackAWrittenStatement() throws Exception {
        DdlStatement waiting = truncateOneMember("half_out");
        cluster().commands().assertDone("ddl", "emit", waiting.id(), "--accept-loss");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM half_out.orders");
        cluster().on(2, "INSERT INTO half_out.orders_0 VALUES (300, 0)");
        cluster().killAndRestart();
        cluster().on(2, "INSERT INTO half_out.orders_1 VALUES (301, 0)");
        cluster().awaitReplicated();
        assertRows("1", "half_out");
        truncateOrders("half_out", 1, 1);
        truncateOrders("half_out", 2, 0);
        cluster().killAndRestart();
        cluster().on(2, "INSERT INTO half_out.orders_0 VALUES (302, 0)");
        truncateOrders("half_out", 2, 1);
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().assertUnion("half_out");
        cluster().awaitNothingListed();
    }

    @Test
    void aRefusedTransactionHoldsItsShardOnlyUntilItIsSkippedOnTheRunningNode() throws Exception {
        createTable("refused");
        String gtid = insertAsStatement("refused");
        DdlStatement held = cluster().awaitHeld("s1", "STATEMENT_FORMAT");
        assertEquals(gtid, held.gtid());
        assertOtherShardContinues("refused", 2);
        assertTrue(held.commands().stream().anyMatch(each -> each.contains("shard skip s1 --gtid " + gtid)));
        cluster().commands().assertRefused(List.of(gtid), "shard", "skip", "s1", "--gtid", gtidBefore(gtid));
        cluster().commands().assertDone("shard", "skip", "s1", "--gtid", gtid);
        cluster().awaitReplicated();
        assertEquals("1,2,11,12", ids("refused"));
        cluster().awaitNothingListed();
    }

    @Test
    void aRefusedTransactionIsSkippedByItsIdInTheList() throws Exception {
        createTable("by_id");
        insertAsStatement("by_id");
        DdlStatement held = cluster().awaitHeld("s1", "STATEMENT_FORMAT");
        cluster().commands().assertDone("ddl", "skip", held.id());
        cluster().awaitReplicated();
        assertEquals("1,2,11", ids("by_id"));
        cluster().awaitNothingListed();
    }

    @Test
    void aKilledNodeReturnsToTheSameRefusedTransaction() throws Exception {
        createTable("again");
        String gtid = insertAsStatement("again");
        cluster().awaitHeld("s1", "STATEMENT_FORMAT");
        cluster().killAndRestart();
        assertEquals(gtid, cluster().awaitHeld("s1", "STATEMENT_FORMAT").gtid());
        assertOtherShardContinues("again", 2);
        cluster().node().kill9();
        cluster().commands().assertDone("shard", "skip", "s1", "--gtid", gtid); // the node is stopped
        cluster().node().start();
        cluster().awaitReplicated();
        assertEquals("1,2,11,12", ids("again"));
        cluster().awaitNothingListed();
    }

    @Test
    void aThousandPartialRowImagesNeedOneCommand() throws Exception {
        createTable("partial");
        cluster().awaitReplicated();
        List<String> updates = new ArrayList<>(List.of("SET SESSION binlog_row_image = MINIMAL"));
        for (int i = 0; i < PARTIAL; i++) {
            updates.add("UPDATE partial.t SET v = v + 1 WHERE id = 1");
        }
        cluster().on(1, updates.toArray(String[]::new));
        String last = lastGtid(1, each -> each.changes().stream().anyMatch(change -> change.isOf("partial", "t")));
        cluster().on(1, "INSERT INTO partial.t VALUES (11, 0)");
        DdlStatement held = cluster().awaitHeld("s1", "SHARD_UNFIT");
        assertOtherShardContinues("partial", 2);
        cluster().commands().assertDone("shard", "skip", "s1", "--gtid", held.gtid(), "--until", last);
        cluster().awaitReplicated();
        assertEquals("1,2,11,12", ids("partial"));
        assertEquals("0", cluster().replica().server().text("SELECT v FROM partial.t WHERE id = 1"));
        cluster().awaitNothingListed();
    }

    @Test
    void rowsInTheOldShapeHoldTheLaggingShardOnlyUntilAReloadAllowsThem() throws Exception {
        createTable("shapes");
        cluster().on(1, "ALTER TABLE shapes.t ADD COLUMN w INT", "INSERT INTO shapes.t VALUES (11, 0, 1)");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM shapes.t WHERE id = 11");
        cluster().on(2, "INSERT INTO shapes.t VALUES (12, 0)");
        DdlStatement held = cluster().awaitHeld("s2", "SCHEMA_MIXED");
        assertTrue(held.message().contains("shapes.t"), held::toString);
        cluster().on(1, "INSERT INTO shapes.t VALUES (13, 0, 1)");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM shapes.t WHERE id = 13");
        assertRows("4", "shapes", "t");

        cluster().node().config().set("ddl.rows", "pass");
        cluster().commands().assertDone("reload");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM shapes.t WHERE id = 12");
        cluster().on(2, "ALTER TABLE shapes.t ADD COLUMN w INT", "INSERT INTO shapes.t VALUES (14, 0, 1)");
        cluster().awaitReplicated();
        cluster().assertOnce("ADD COLUMN");
        cluster().assertUnion("shapes");
        cluster().node().config().set("ddl.rows", "refuse");
        cluster().commands().assertDone("reload");
        cluster().awaitNothingListed();
    }

    /** The shard continues without a command, or is held: the node, the replica and the other shard continue in both cases. */
    @Test
    void aSwapOfAnOnlineToolThatChangesTheShapeHoldsOnlyItsShard() throws Exception {
        createTable("swapped");
        cluster().awaitReplicated();
        cluster().mark();
        cluster().onEach("CREATE TABLE swapped.u (id INT PRIMARY KEY)");
        cluster().on(1, OnlineTool.GH_OST.statements("swapped", "ADD COLUMN w INT", 11));
        GtidSet executed = GtidSet.parse(cluster().shard(1).gtidExecuted());
        cluster()
                .until(
                        () -> "the swap to be held or done",
                        () -> cluster().listed().stream()
                                        .anyMatch(each -> each.state().equals("held")
                                                && each.shard().equals("s1")
                                                && !each.commands().isEmpty())
                                || cluster().node().fact("frontier.s1").stream()
                                        .anyMatch(text -> GtidSet.parse(text).containsAll(executed)));
        cluster().on(2, "INSERT INTO swapped.u VALUES (12)");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM swapped.u");
        cluster().assertNone("_T_GHO");
        cluster().assertNone("_T_DEL");
        assertTrue(cluster().replica().isRunning(), cluster().replica().error());
        SHARED.discard();
    }

    /** While a shard is unreachable, nothing of the other shards is written; their transactions are processed when it returns. */
    @Test
    void aTruncateWaitsForAnUnreachableShard() throws Exception {
        createOrders("away");
        cluster().mark();
        cluster().shard(2).stop();
        cluster().on(1, "TRUNCATE TABLE away.orders_0", "TRUNCATE TABLE away.orders_1");
        cluster()
                .until(
                        () -> "a log line about the shard",
                        () -> cluster().node().logText().contains("SHARD_UNREACHABLE: shard s2"));
        assertTrue(cluster().replica().isRunning(), cluster().replica().error());
        cluster().shard(2).restart();
        cluster().awaitLacking(List.of("s2:away.orders_0", "s2:away.orders_1"), "TRUNCATE", "away.orders");
        cluster().on(2, "INSERT INTO away.orders_0 VALUES (300, 0)");
        cluster().awaitReplica("5", "SELECT COUNT(*) FROM away.orders");
        truncateOrders("away", 2, 0, 1);
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().assertUnion("away");
        cluster().awaitNothingListed();
    }

    @Test
    void twoTruncatesInARowOnOneMemberAreTwoStatements() throws Exception {
        createTable("twice");
        cluster().awaitReplicated();
        cluster().mark();
        cluster()
                .on(
                        1,
                        "TRUNCATE TABLE twice.t",
                        "INSERT INTO twice.t VALUES (11, 0)",
                        "TRUNCATE TABLE twice.t",
                        "INSERT INTO twice.t VALUES (13, 0)");
        cluster().awaitWaiting("TRUNCATE", "twice.t");
        cluster().on(2, "TRUNCATE TABLE twice.t", "INSERT INTO twice.t VALUES (12, 0)");
        cluster().awaitReplica("11,12", "SELECT GROUP_CONCAT(id ORDER BY id) FROM twice.t");
        cluster().assertOnce("TRUNCATE");
        cluster().on(2, "TRUNCATE TABLE twice.t", "INSERT INTO twice.t VALUES (14, 0)");
        cluster().awaitReplicated();
        assertEquals(2, cluster().statements("TRUNCATE").size());
        assertEquals("13,14", ids("twice"));
        cluster().awaitNothingListed();
    }

    @Test
    void aDropOfATableThatAShardDoesNotHaveIsCompletelyProcessed() throws Exception {
        createTable("if_exists");
        cluster().onEach("DROP TABLE IF EXISTS if_exists.never", "DROP DATABASE IF EXISTS if_exists_never");
        cluster().on(1, "CREATE TABLE if_exists.alone (id INT PRIMARY KEY)", "INSERT INTO if_exists.alone VALUES (1)");
        cluster().on(2, "DROP TABLE IF EXISTS if_exists.alone");
        cluster().awaitReplicated();
        assertRows("1", "if_exists", "alone");
        cluster().on(1, "DROP TABLE IF EXISTS if_exists.alone");
        cluster().awaitReplicated();
        cluster().onEach("DROP TABLE IF EXISTS if_exists.t", "DROP TABLE IF EXISTS if_exists.t");
        cluster()
                .onEach(
                        "CREATE TABLE if_exists.t (id INT PRIMARY KEY)",
                        "INSERT INTO if_exists.t VALUES (@@server_id)");
        cluster().awaitReplicated();
        cluster().assertUnion("if_exists");
        cluster().awaitNothingListed();
    }

    @Test
    void aCommandForAnIdThatNoLongerExistsIsRefused() throws Exception {
        DdlStatement waiting = truncateOneMember("bygone");
        truncateOrders("bygone", 1, 1);
        truncateOrders("bygone", 2, 0, 1);
        cluster().awaitReplicated();
        for (String verb : List.of("show", "emit", "done", "skip")) {
            cluster().commands().assertRefused(List.of(waiting.id()), "ddl", verb, waiting.id());
        }
        cluster()
                .commands()
                .assertRefused(List.of(waiting.id()), "ddl", "ignore", waiting.id(), "--member", "s1:bygone.orders_0");
        cluster().commands().assertRefused(List.of("no-such-id"), "ddl", "skip", "no-such-id");
        cluster().awaitReplicated();
        cluster().assertOnce("TRUNCATE");
        cluster().assertUnion("bygone");
        cluster().awaitNothingListed();
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }

    /** Creates orders_0 and orders_1 on both shards, with a row each. */
    private static void createOrders(String schema) throws Exception {
        cluster().onEach("CREATE DATABASE " + schema);
        for (int number = 0; number < 4; number++) {
            String table = schema + ".orders_" + number % 2;
            cluster()
                    .on(
                            number / 2 + 1,
                            "CREATE TABLE IF NOT EXISTS " + table + " (id INT PRIMARY KEY, v INT)",
                            "INSERT INTO " + table + " VALUES (" + number + ", 0)");
        }
        cluster().awaitReplicated();
    }

    private static void truncateOrders(String schema, int shard, int... tables) throws SQLException {
        for (int table : tables) {
            cluster().on(shard, "TRUNCATE TABLE " + schema + ".orders_" + table);
        }
    }

    /** Creates a table t on both shards, with rows 1 and 2. */
    private static void createTable(String schema) throws SQLException {
        cluster().onEach("CREATE DATABASE " + schema, "CREATE TABLE " + schema + ".t (id INT PRIMARY KEY, v INT)");
        cluster().on(1, "INSERT INTO " + schema + ".t VALUES (1, 0)");
        cluster().on(2, "INSERT INTO " + schema + ".t VALUES (2, 0)");
    }

    /** Inserts row 99 on the first shard as a statement, which a node refuses, and row 11 after it; returns the GTID of the first. */
    private static String insertAsStatement(String schema) throws Exception {
        cluster().awaitReplicated();
        cluster().on(1, "SET SESSION binlog_format = STATEMENT", "INSERT INTO " + schema + ".t VALUES (99, 0)");
        String gtid = lastGtid(1, each -> each.queries().toString().contains("(99, 0)"));
        cluster().on(1, "INSERT INTO " + schema + ".t VALUES (11, 0)");
        return gtid;
    }

    /** Checks that the row of the second shard is replicated to a replica that stays connected, and the next row of the first shard is not. */
    private static void assertOtherShardContinues(String schema, int rowsBefore) throws SQLException {
        cluster().on(2, "INSERT INTO " + schema + ".t VALUES (12, 0)");
        cluster().awaitReplica(Integer.toString(rowsBefore + 1), "SELECT COUNT(*) FROM " + schema + ".t");
        assertEquals("1,2,12", ids(schema));
        assertTrue(cluster().replica().isRunning(), cluster().replica().error());
        assertTrue(cluster().node().isHealthy(), cluster().node()::lastLines);
    }

    /** The GTID of the newest such transaction in a shard's own binlog. */
    private static String lastGtid(int shard, Predicate<BinlogTransaction> which) throws IOException {
        return BinlogReader.ofFolder(cluster().shard(shard).dataFolder()).all().stream()
                .filter(which)
                .reduce((before, after) -> after)
                .orElseThrow()
                .gtid()
                .toString();
    }

    private static String gtidBefore(String gtid) {
        int colon = gtid.lastIndexOf(':');
        return gtid.substring(0, colon + 1) + (Long.parseLong(gtid.substring(colon + 1)) - 1);
    }

    private static String ids(String schema) throws SQLException {
        return cluster().replica().server().text("SELECT GROUP_CONCAT(id ORDER BY id) FROM " + schema + ".t");
    }

    private static void assertRows(String count, String schema) throws SQLException {
        assertRows(count, schema, "orders");
    }

    private static void assertRows(String count, String schema, String table) throws SQLException {
        assertEquals(count, cluster().replica().server().text("SELECT COUNT(*) FROM " + schema + "." + table));
    }
}
