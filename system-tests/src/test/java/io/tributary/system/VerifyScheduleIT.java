package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code verify.every}: a running node compares a replica, reports what differs and which transaction changed it last. */
class VerifyScheduleIT {
    private static final String FINDINGS = "tributary_verify_findings";
    private static final String FAILURES = "tributary_verify_failures_total";

    /** The node with two shards and a replica that it compares every two seconds. */
    private static final class Servers implements AutoCloseable {
        private final LocalCluster cluster;
        private final MysqlReplica replica;

        Servers(Path folder) throws SQLException {
            cluster = LocalCluster.withShards(folder, 2);
            for (int i = 0; i < 2; i++) {
                try (Sql sql = cluster.shards().get(i).sql()) {
                    sql.execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id VARCHAR(20) PRIMARY KEY, a INT)");
                    for (int id = i; id < 40; id += 2) {
                        sql.execute("INSERT INTO shop.t VALUES ('row " + id + "', " + id + ")");
                    }
                }
            }
            replica = cluster.newReplica("replica", 2);
            cluster.config()
                    .set("verify.every", "2s")
                    .set("verify.replica", address())
                    .set("verify.user", MysqlServer.ROOT)
                    .set("verify.password", MysqlServer.ROOT_PASSWORD);
        }

        String address() {
            return "127.0.0.1:" + replica.server().port();
        }

        NodeProcess node() {
            return cluster.node();
        }

        void startAll() throws SQLException {
            node().start();
            cluster.attachByGtid(replica);
            new Invariants(cluster).awaitApplied(replica);
        }

        /** The newest complete comparison. */
        String newest() {
            return node().fact("verify." + address()).orElse("none");
        }

        String page() {
            return node().ask("/verify").orElse("");
        }

        void await(String what, Await.Condition condition) {
            Await.until(
                    () -> what + "; last comparison: " + newest() + ", last lines:\n" + node().lastLines(),
                    Invariants.LIMIT,
                    condition);
        }

        void damage(String statement) throws SQLException {
            try (Sql sql = replica.server().sql()) {
                sql.execute("SET sql_log_bin = 0", statement);
            }
        }

        MysqlTools.Outcome tributary(String... arguments) {
            List<String> command = new ArrayList<>(List.of(
                    "/usr/bin/env",
                    "TRIBUTARY_REPLICA_PASSWORD=" + MysqlServer.ROOT_PASSWORD,
                    NodeProcess.projectHome().resolve("bin/tributary").toString()));
            command.addAll(List.of(arguments));
            command.addAll(4, List.of("-c", node().configFile().toString()));
            return MysqlTools.run(command);
        }

        /** Runs one statement on a shard; returns its GTID in the stream. Nothing else writes. */
        String streamGtidOf(int shard, String statement) throws SQLException {
            cluster.awaitAllWritten(Invariants.LIMIT);
            GtidSet before = GtidSet.parse(cluster.gtidExecuted());
            cluster.shards().get(shard).execute(statement);
            cluster.awaitAllWritten(Invariants.LIMIT);
            Await.until(
                    "the transaction in the stream",
                    Invariants.LIMIT,
                    () -> !GtidSet.parse(cluster.gtidExecuted()).minus(before).isEmpty());
            GtidSet added = GtidSet.parse(cluster.gtidExecuted()).minus(before);
            assertEquals(1, added.count(), added::line);
            Sid sid = added.sids().get(0);
            return sid + ":" + added.last(sid);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    @Test
    void damageIsReportedWithItsLastChangeAndGoneAfterTheRepair(@TempDir Path folder) throws Exception {
        try (Servers servers = new Servers(folder)) {
            servers.startAll();
            NodeProcess node = servers.node();
            servers.await("an equal replica", () -> servers.newest().contains(": equal, 1 tables, 40 rows"));
            assertEquals(0, node.metric(FINDINGS));
            assertTrue(node.metric("tributary_verify_last_seconds") > 1.7e9);
            assertTrue(node.metric("tributary_verify_rows_total") >= 40);

            String changed = servers.streamGtidOf(1, "UPDATE shop.t SET a = 1000 WHERE id = 'row 5'");
            String other = servers.streamGtidOf(1, "UPDATE shop.t SET a = 1001 WHERE id = 'row 7'");
            new Invariants(servers.cluster).awaitApplied(servers.replica);
            servers.damage("UPDATE shop.t SET a = 5 WHERE id = 'row 5'");
            servers.await("a finding", () -> node.metric(FINDINGS) == 1);
            servers.await("its page", () -> servers.page().contains("\"findings\":1"));
            String page = servers.page();
            assertTrue(
                    page.contains(
                            "\"table\":\"shop.t\",\"key\":\"id='row 5'\",\"kind\":\"differs\",\"columns\":[\"a\"]"),
                    page);
            assertTrue(page.contains("\"change\":{\"gtid\":\"" + changed + "\",\"kind\":\"update\""), page);
            assertTrue(!page.contains(other) && !page.contains("1000"), page);
            assertTrue(servers.newest().contains(": 1 findings, 1 tables"), servers.newest());
            assertTrue(
                    node.logText()
                            .contains("replica differs from the shards: replica=" + servers.address()
                                    + " findings=1 tables=\"shop.t (1)\""),
                    node::lastLines);
            assertTrue(!node.logText().contains("row 5"), "a key in the log");

            MysqlTools.Outcome command =
                    servers.tributary("verify", "--replica", servers.address(), "--replica-user", MysqlServer.ROOT);
            assertEquals(1, command.status(), command::output);
            assertTrue(
                    command.output().contains("shop.t id='row 5': last changed by " + changed + " (update, "),
                    command::output);

            servers.damage("UPDATE shop.t SET a = 1000 WHERE id = 'row 5'");
            servers.await("an equal replica after the repair", () -> node.metric(FINDINGS) == 0);
            servers.await("its status", () -> servers.newest().contains(": equal, 1 tables, 40 rows"));
            assertTrue(node.isHealthy());
        }
    }

    @Test
    void aReplicaThatIsDownIsAFailureAndTheNodeContinues(@TempDir Path folder) throws Exception {
        try (Servers servers = new Servers(folder)) {
            servers.startAll();
            NodeProcess node = servers.node();
            servers.await("an equal replica", () -> servers.newest().contains(": equal"));
            MysqlTools.Outcome fit = servers.tributary("check");
            assertEquals(0, fit.status(), fit::output);
            assertTrue(!fit.output().contains("verify."), fit::output);

            double before = node.metric(FAILURES); // the replica may not have been one at the first turn
            servers.replica.server().kill9();
            servers.await("failures", () -> node.metric(FAILURES) >= before + 2);
            servers.await("their status", () -> servers.newest().contains(": TARGET_UNREACHABLE: "));
            assertTrue(servers.newest().startsWith("failed "), servers.newest());
            assertTrue(node.isHealthy());
            MysqlTools.Outcome down = servers.tributary("check");
            assertEquals(0, down.status(), down::output);
            assertTrue(down.output().contains("verify.replica: warning: target " + servers.address()), down::output);

            servers.replica.server().restart();
            servers.await("an equal replica again", () -> servers.newest().contains(": equal"));

            servers.cluster.config().set("verify.every", "").write(node.configFile());
            MysqlTools.Outcome reload = servers.tributary("reload");
            assertEquals(0, reload.status(), reload::output);
            assertTrue(reload.output().contains("verify.every"), reload::output);
            servers.await("no comparisons", () -> servers.page().isEmpty() && node.metric(FAILURES) == 0);
            servers.cluster.config().set("verify.every", "1s").write(node.configFile());
            assertEquals(0, servers.tributary("reload").status());
            servers.await("comparisons again", () -> servers.newest().contains(": equal"));

            servers.cluster.config().remove("verify.replica").write(node.configFile());
            MysqlTools.Outcome without = servers.tributary("check");
            assertEquals(1, without.status(), without::output);
            assertTrue(without.output().contains("verify.replica: expected the addresses"), without::output);
            assertTrue(node.terminate(), node::lastLines);
        }
    }

    @Test
    void inAClusterOnlyTheLeaderComparesAndTheNextOneContinues(@TempDir Path folder) throws Exception {
        ClusterNodes nodes = new ClusterNodes(
                folder, List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")), 1, 3, UnaryOperator.identity());
        try (LocalCluster cluster = nodes.cluster()) {
            cluster.shards()
                    .get(0)
                    .execute(
                            "CREATE DATABASE shop",
                            "CREATE TABLE shop.t (id INT PRIMARY KEY)",
                            "INSERT INTO shop.t VALUES (1), (2)");
            MysqlReplica replica = cluster.newReplica("replica", 2);
            String address = "127.0.0.1:" + replica.server().port();
            nodes.all()
                    .forEach(node -> node.config()
                            .set("verify.every", "2s")
                            .set("verify.replica", address)
                            .set("verify.user", MysqlServer.ROOT)
                            .set("verify.password", MysqlServer.ROOT_PASSWORD));
            nodes.launch();
            NodeProcess first = nodes.awaitServing(0, Invariants.LIMIT);
            nodes.attach(replica);
            awaitOnlyOneCompares(first, nodes.dumpers(), address);
            first.kill9();
            NodeProcess second = nodes.awaitServing(1, Invariants.LIMIT);
            List<NodeProcess> left =
                    nodes.dumpers().stream().filter(node -> node != first).toList();
            awaitOnlyOneCompares(second, left, address);
        }
    }

    private static void awaitOnlyOneCompares(NodeProcess leader, List<NodeProcess> dumpers, String address) {
        Await.until(
                () -> "comparisons of " + leader.name() + ":\n" + leader.lastLines(),
                Invariants.LIMIT,
                () -> leader.fact("verify." + address).orElse("").contains(": equal, 1 tables, 2 rows"));
        for (NodeProcess other : dumpers) {
            boolean isLeader = other == leader;
            assertEquals(isLeader, other.ask("/verify").isPresent(), other::name);
            assertEquals(isLeader, other.logText().contains("replica is equal to the shards"), other::lastLines);
        }
    }
}
