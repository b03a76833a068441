package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.BlobDamage;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.OddTransactions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests of what an operator sees and runs for distributed transactions in doubt, and for refused transactions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class XaOperatorIT {
    private static final int LARGE_ROWS = 40;

    private LocalCluster cluster;
    private int inserted;

    @BeforeAll
    void startShards(@TempDir Path folder) throws SQLException {
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.withoutTls()
                        .set("shard.s1.start", "latest")
                        .set("shard.s2.start", "latest")
                        .set("order.indoubt.warn", "500ms")
                        .set("ddl.warn", "300ms"));
        for (MysqlServer shard : cluster.shards()) {
            shard.execute("CREATE DATABASE ops", "CREATE TABLE ops.t (id INT PRIMARY KEY, v VARCHAR(20))");
        }
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aTransactionInDoubtIsListedWithTheStatementThatEndsIt() throws Exception {
        NodeProcess node = cluster.newNode("doubt", config -> config).start();
        prepare(first(), "X'646f00756274','b',7");
        prepare(second(), "X'646f00756274','b',7");
        first().execute("XA COMMIT X'646f00756274','b',7");
        awaitList(node, "\"in.doubt\":true", "\"state\":\"committed\"", "\"waits.for\":[\"the decision on shard s2\"");
        String list = list(node);
        assertTrue(
                node.logText().contains("distributed transaction in doubt: xid=X'646f00756274','',7 "), node.logText());
        assertTrue(node.metric("tributary_collect_oldest_seconds") > 0);
        Matcher remedy = Pattern.compile("(XA COMMIT [^\"]*) on shard s2").matcher(list);
        assertTrue(remedy.find(), list);
        second().execute(remedy.group(1));
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        awaitList(node, "\"total\":0");
        assertEquals(2, last(node).changes().size());
        assertTrue(node.logText().contains("distributed transaction in doubt ended: xid="), node.logText());
        node.close();
    }

    @Test
    void anXidUsedAgainWhileItsFirstTransactionIsInDoubtIsASecondTransaction() throws Exception {
        NodeProcess node = cluster.newNode("again", config -> config).start();
        prepare(first(), "'again','b',1");
        prepare(second(), "'again','b',1");
        first().execute("XA COMMIT 'again','b',1");
        prepare(first(), "'again','b',1");
        awaitList(node, "\"total\":2", "the earlier use of the same XID");
        assertEquals(1, node.metric("tributary_collect_xids_used_again_total"));
        second().execute("XA COMMIT 'again','b',1");
        prepare(second(), "'again','b',1");
        second().execute("XA COMMIT 'again','b',1");
        first().execute("XA COMMIT 'again','b',1");
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(List.of(2, 2), rows(node));
        for (int use = 0; use < 2; use++) { // immediately, as soon as the XID is free
            prepare(first(), "'again','b',1");
            prepare(second(), "'again','b',1");
            second().execute("XA COMMIT 'again','b',1");
            first().execute("XA COMMIT 'again','b',1");
        }
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(List.of(2, 2, 2, 2), rows(node));
        assertEquals(0, node.metric("tributary_collect_late_branches_total"));
        node.close();
    }

    @Test
    void violationsOfTwoPhaseCommitAreCountedLoggedAndNotLost() throws Exception {
        NodeProcess node = cluster.newNode("broken", config -> config).start();
        prepare(first(), "'late','b',1");
        first().execute("XA COMMIT 'late','b',1");
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        prepare(second(), "'late','c',1");
        second().execute("XA COMMIT 'late','c',1");
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(List.of(1, 1), rows(node));
        assertEquals(1, node.metric("tributary_collect_late_branches_total"));
        assertLogged(node, "branch prepared after the commit of its transaction: xid='late','c',1 shard=s2");

        prepare(first(), "'mixed','b',1");
        prepare(second(), "'mixed','b',1");
        first().execute("XA COMMIT 'mixed','b',1");
        second().execute("XA ROLLBACK 'mixed','b',1");
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(List.of(1, 1, 1), rows(node));
        assertEquals(1, node.metric("tributary_collect_mixed_outcomes_total"));
        assertLogged(node, "branch rolled back although other branches committed: xid='mixed','b',1 shard=s2");
        awaitList(node, "\"total\":0");
        node.close();
    }

    @Test
    void aNewStreamDoesNotBeginAfterAPreparedBranch() throws Exception {
        prepare(first(), "'early','b',1");
        NodeProcess node = cluster.newNode("early", config -> config).launch();
        Await.until(
                () -> "a log line about the branch: " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.logText().contains("BRANCHES_PREPARED")
                        && node.logText().contains("XA 'early','b',1"));
        first().execute("XA COMMIT 'early','b',1");
        node.awaitHealthy();
        insert(first());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(1, written(node).size());
        node.close();
    }

    @Test
    void onlyARefusedTransactionIsLeftOutAfterTheCommandOfAnOperator() throws Exception {
        OddTransactions odd = new OddTransactions(cluster.shards());
        odd.prepare();
        NodeProcess node = cluster.newNode("skip", config -> config).start();
        insert(first());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(
                1,
                tributary("shard", "skip", "s1", "--gtid", first().uuid() + ":1", "-c", file(node))
                        .status());
        odd.statementFormat(0);
        insert(first()); // after the refused transaction; this one is not refused
        Await.until(
                () -> "a held shard in: " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("ddl.held").orElse("").startsWith("s1: STATEMENT_FORMAT"));
        Matcher command =
                Pattern.compile("tributary (shard skip s1 --gtid \\S+) -c FILE").matcher(node.logText());
        assertTrue(command.find(), node.lastLines());
        String[] words = (command.group(1) + " -c " + file(node)).split(" ");
        MysqlTools.Outcome another =
                tributary("shard", "skip", "s1", "--gtid", first().uuid() + ":99999", "-c", file(node));
        assertEquals(1, another.status());
        assertTrue(another.output().contains("it is held at " + words[4]), another.output());
        insert(second());
        Await.until(
                () -> "the rows of the other shard",
                Invariants.LIMIT,
                () -> written(node).size() == 2);
        node.kill9();
        node.start();
        Await.until(
                () -> "the same shard held again in: " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("ddl.held").orElse("").startsWith("s1: STATEMENT_FORMAT"));
        MysqlTools.Outcome skipped = tributary(words);
        assertEquals(0, skipped.status(), skipped.output());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(3, written(node).size());
        assertTrue(node.logText().contains("transaction left out: shard=s1 gtid=" + words[4]), node.logText());
        assertEquals(words[4].toLowerCase(Locale.ROOT), node.fact("left.out.s1").orElse(""));
        node.kill9();
        node.start();
        insert(second());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertEquals(4, written(node).size());
        assertEquals(words[4].toLowerCase(Locale.ROOT), node.fact("left.out.s1").orElse(""));
        node.close();
    }

    @Test
    void aDdlThatOneShardLacksIsReportedUntilItHasIt() throws Exception {
        NodeProcess node = cluster.newNode("ddl", config -> config).start();
        first().execute("CREATE TABLE ops.u (id INT PRIMARY KEY)");
        second().execute("CREATE TABLE ops.u (id INT PRIMARY KEY)");
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        first().execute("ALTER TABLE ops.u ADD COLUMN v INT");
        Await.until(
                () -> "the node to report the statement: " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.logText().contains("ddl incomplete")
                        && node.fact("ddl.pending").orElse("").contains("not logged by s2:ops.u")
                        && node.metric("tributary_collect_ddl_pending") == 1);
        second().execute("ALTER TABLE ops.u ADD COLUMN v INT");
        Await.until(
                () -> "no pending statement: " + node.fact("ddl.pending"),
                Invariants.LIMIT,
                () -> node.fact("ddl.pending").isEmpty());
        node.close();
    }

    @Test
    void aDamagedSpillIsReportedAndAllIsReadAgainFromTheLastCut() throws Exception {
        NodeProcess node = cluster.newNode(
                        "damaged", config -> config.set("store.memory", "16MiB").set("store.spill.transaction", "1MiB"))
                .start();
        insert(second());
        first().execute("CREATE TABLE ops.large (id INT PRIMARY KEY, v LONGBLOB)");
        second().execute("CREATE TABLE ops.large (id INT PRIMARY KEY, v LONGBLOB)");
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        int before = written(node).size();
        try (Sql sql = first().sql()) {
            sql.execute("XA START 'large','b',1");
            for (int row = 0; row < LARGE_ROWS; row++) {
                sql.execute("INSERT INTO ops.large VALUES (" + row + ", REPEAT('" + row % 10 + "', 1000000))");
            }
            sql.execute("XA END 'large','b',1", "XA PREPARE 'large','b',1");
        }
        prepare(second(), "'large','b',1");
        first().execute("XA COMMIT 'large','b',1");
        insert(second());
        Await.until(
                () -> "the transaction to be stored on disk: " + node.metric("tributary_store_spilled_bytes"),
                Invariants.LIMIT,
                () -> node.metric("tributary_store_spilled_bytes") > (LARGE_ROWS - 2) * 1e6);

        assertTrue(
                BlobDamage.flipBytes(Path.of(node.config().get("store.directory"), "payload")) > 100,
                "expected blob files");
        second().execute("XA COMMIT 'large','b',1");
        insert(second());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        assertLogged(node, "STORE_FAILED");
        assertLogged(node, ".blob");
        assertLogged(node, "retry.in.ms=");
        List<BinlogTransaction> after =
                written(node).subList(before, written(node).size());
        assertEquals(
                List.of(1, 1, LARGE_ROWS + 1),
                after.stream().map(each -> each.changes().size()).sorted().toList());
        assertTrue(node.isHealthy());
        node.close();
    }

    /** Prepares a branch on a separate connection, which is closed: the branch stays prepared. */
    private void prepare(MysqlServer shard, String xid) throws SQLException {
        try (Sql sql = shard.sql()) {
            sql.execute(
                    "XA START " + xid,
                    "INSERT INTO ops.t VALUES (" + ++inserted + ", 'xa')",
                    "XA END " + xid,
                    "XA PREPARE " + xid);
        }
    }

    private void insert(MysqlServer shard) throws SQLException {
        shard.execute("INSERT INTO ops.t VALUES (" + ++inserted + ", 'plain')");
    }

    private static void awaitList(NodeProcess node, String... parts) {
        Await.until(
                () -> List.of(parts) + " in " + node.ask("/xa"),
                Invariants.LIMIT,
                () -> node.ask("/xa")
                        .filter(text -> List.of(parts).stream().allMatch(text::contains))
                        .isPresent());
    }

    private static String list(NodeProcess node) {
        MysqlTools.Outcome list = tributary("xa", "list", "--json", "-c", file(node));
        assertEquals(0, list.status(), list.output());
        return list.output();
    }

    private static String file(NodeProcess node) {
        return node.config().write(node.configFile()).toString();
    }

    private static MysqlTools.Outcome tributary(String... words) {
        List<String> command = new ArrayList<>();
        command.add(NodeProcess.projectHome().resolve("bin/tributary").toString());
        command.addAll(List.of(words));
        return MysqlTools.run(command);
    }

    private static List<BinlogTransaction> written(NodeProcess node) throws Exception {
        return BinlogReader.ofFolder(Path.of(node.config().get("binlog.directory")))
                .all();
    }

    /** The number of rows of each transaction. */
    private static List<Integer> rows(NodeProcess node) throws Exception {
        return written(node).stream().map(each -> each.changes().size()).toList();
    }

    private static void assertLogged(NodeProcess node, String part) {
        String log = node.logText();
        assertTrue(log.contains(part), () -> part + " in: " + log);
    }

    private static BinlogTransaction last(NodeProcess node) throws Exception {
        List<BinlogTransaction> all = written(node);
        return all.get(all.size() - 1);
    }

    private MysqlServer first() {
        return cluster.shards().get(0);
    }

    private MysqlServer second() {
        return cluster.shards().get(1);
    }
}
