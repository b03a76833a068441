package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of shards that are killed under load with prepared branches, that hang, and that are replaced by a replica. */
class ShardKilledIT {
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA, "doubt");

    @Test
    void branchesPreparedBeforeAKillAreJoinedWhenTheyAreCommitted(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 3);
                BankWorkload bank =
                        new BankWorkload(cluster.shards(), BankOptions.seeded(5).perSecond(300))) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("CREATE DATABASE doubt", "CREATE TABLE doubt.t (id INT PRIMARY KEY, shard INT)");
            }
            bank.prepare();
            bank.start();
            MysqlServer first = cluster.shards().get(0);
            MysqlServer second = cluster.shards().get(1);
            prepare(first, "committed", 1, 1);
            prepare(second, "committed", 2, 2);
            prepare(first, "undone", 3, 1);
            prepare(second, "undone", 4, 2);

            first.kill9();
            first.restart();
            first.execute("XA COMMIT 'committed','1'", "XA ROLLBACK 'undone','1'");
            second.kill9();
            second.restart();
            second.execute("XA COMMIT 'committed','2'", "XA ROLLBACK 'undone','2'");
            bank.stop();

            new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofTransactions(bank)
                    .ofReplicas(SCHEMAS, replica)
                    .ofFiles();
        }
    }

    @Test
    void aShardThatHangsOnlyDelaysTheOthers(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            cluster.node().start();
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("CREATE DATABASE calm", "CREATE TABLE calm.t (id INT PRIMARY KEY)");
            }
            cluster.awaitAllWritten(Invariants.LIMIT);
            long before = cluster.transactionsWritten();
            MysqlServer busy = cluster.shards().get(0);
            MysqlServer hung = cluster.shards().get(1);
            hung.pause();
            for (int i = 1; i <= 50; i++) {
                busy.execute("INSERT INTO calm.t VALUES (" + i + ")");
            }
            String read = "tributary_extract_transactions_total";
            Await.until(
                    "the node to read", Invariants.LIMIT, () -> cluster.node().metric(read) >= before + 50);
            assertTrue(
                    cluster.transactionsWritten() < before + 50,
                    "expected no more transactions before the order is known");
            hung.resume();

            new Invariants(cluster).awaitApplied().ofTransactions().ofFiles();
        }
    }

    @Test
    void aReplicaAtAnotherAddressReplacesTheShard(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster =
                LocalCluster.withShards(folder, List.of(MysqlOptions.named("s1")), config -> config.withoutTls())) {
            MysqlServer first = cluster.shards().get(0);
            MysqlReplica standby = cluster.newReplica("standby", 1);
            MysqlUser.tributary(first.release()).createForTributary(standby.server());
            standby.attachByGtid("127.0.0.1", first.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
            standby.server().execute("SET GLOBAL read_only = ON");
            NodeProcess node = cluster.node();
            node.config()
                    .set("shard.s1.standby", "127.0.0.1:" + standby.server().port());
            node.start();
            first.execute("CREATE DATABASE moved", "CREATE TABLE moved.t (id INT PRIMARY KEY)");
            first.execute("INSERT INTO moved.t VALUES (1)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            standby.awaitGtids(first.gtidExecuted(), Invariants.LIMIT);

            first.kill9();
            BadInputIT.awaitLogged(
                    node, "shard s1 at 127.0.0.1:" + standby.server().port(), "read_only: expected OFF");
            standby.stop();
            standby.server().execute("RESET REPLICA ALL");
            standby.server().execute("SET GLOBAL read_only = OFF");
            standby.server().execute("INSERT INTO moved.t VALUES (2)");
            GtidSet executed = GtidSet.parse(standby.server().gtidExecuted());
            Await.until(
                    () -> "the node to continue there; " + node.lastLines(),
                    Invariants.LIMIT,
                    () -> GtidSet.parse(node.fact("frontier.s1").orElse("")).containsAll(executed));
            assertEquals(4, ClusterNodes.transactions(node), node::lastLines);
        }
    }

    private static void prepare(MysqlServer shard, String gtrid, int id, int bqual) throws SQLException {
        String xid = "'" + gtrid + "','" + bqual + "'";
        try (Sql sql = shard.sql()) {
            sql.execute(
                    "XA START " + xid,
                    "INSERT INTO doubt.t VALUES (" + id + "," + bqual + ")",
                    "XA END " + xid,
                    "XA PREPARE " + xid);
        }
    }
}
