package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.testkit.check.LossCheck;
import io.tributary.testkit.check.RowChainCheck;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.PathologicalXaWorkload;
import io.tributary.testkit.workload.XaPathology;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with unusual but legal uses of XA transactions, together with a bank; and with violations of two-phase commit. */
class XaPathologiesIT {
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA, PathologicalXaWorkload.SCHEMA);

    private static final int KILLS = 3;
    private static final int TRANSACTIONS = 300;

    @Test
    void everyCommittedTransactionIsWrittenOnceAndWholeWhenTheNodeIsKilled(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3")),
                NodeConfig::withoutTls)) {
            cluster.node().start();
            MysqlReplica byGtid = cluster.attachByGtid(cluster.newReplica("by-gtid", 8));
            MysqlReplica byPosition =
                    cluster.attachByPosition(cluster.newReplica("by-position", 1), "binlog.000001", 4);
            BankWorkload bank = new BankWorkload(
                    cluster.shards(), BankOptions.seeded(11).threads(2).perSecond(100));
            PathologicalXaWorkload odd = new PathologicalXaWorkload(cluster.shards(), 11, 1, XaPathology.legal());
            try (bank;
                    odd) {
                bank.prepare();
                odd.prepare();
                bank.start();
                odd.start();
                for (int kill = 0; kill < KILLS; kill++) {
                    Invariants.awaitMore(cluster, TRANSACTIONS);
                    cluster.node().kill9();
                    cluster.node().start();
                }
                Invariants.awaitMore(cluster, TRANSACTIONS);
                odd.stop();
                bank.stop();
            }
            new Invariants(cluster)
                    .awaitApplied(byGtid, byPosition)
                    .ofTransactions(bank)
                    .ofReplicas(SCHEMAS, byGtid, byPosition)
                    .ofFiles();
            odd.done().forEach((kind, count) -> assertTrue(count > 0, kind + " never happened"));
        }
    }

    @Test
    void violationsOfTwoPhaseCommitAreReportedAndNothingIsLost(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("order.indoubt.warn", "1s"))) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            Set<XaPathology> broken = EnumSet.of(XaPathology.BRANCH_AFTER_COMMIT, XaPathology.HALF_ROLLED_BACK);
            try (PathologicalXaWorkload odd = new PathologicalXaWorkload(cluster.shards(), 3, 2, broken)) {
                odd.prepare();
                odd.run(40L);
            }
            cluster.awaitAllWritten(Invariants.LIMIT);
            writeBranch(cluster.shards().get(0), 1_000_001);
            cluster.awaitAllWritten(Invariants.LIMIT);
            writeBranch(cluster.shards().get(1), 1_000_002);
            Invariants invariants = new Invariants(cluster)
                    .awaitApplied(replica)
                    .ofReplicas(List.of(PathologicalXaWorkload.SCHEMA), replica);
            LossCheck loss = new LossCheck(invariants.histories());
            RowChainCheck chains = new RowChainCheck();
            invariants.output().forEach(loss, chains);
            loss.report().assertClean();
            chains.report().assertClean();
            assertTrue(cluster.node().metric("tributary_collect_late_branches_total") > 0);
            assertTrue(cluster.node().metric("tributary_collect_mixed_outcomes_total") > 0);
            String log = cluster.node().logText();
            for (String event : List.of(
                    "branch prepared after the commit of its transaction: xid=",
                    "branch rolled back although other branches committed: xid=")) {
                assertTrue(log.contains(event), log);
            }
        }
    }

    /** Prepares and commits a branch of a transaction that has branches on other shards too. */
    private static void writeBranch(MysqlServer shard, int id) throws SQLException {
        String xid = "'late','" + shard.name() + "'";
        shard.execute(
                "XA START " + xid,
                "INSERT INTO pathology.written VALUES (" + id + "," + id + ", 1, 'late')",
                "XA END " + xid,
                "XA PREPARE " + xid,
                "XA COMMIT " + xid);
    }
}
