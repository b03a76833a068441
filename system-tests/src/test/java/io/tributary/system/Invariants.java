package io.tributary.system;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BankCheck;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.Check;
import io.tributary.testkit.check.DuplicateCheck;
import io.tributary.testkit.check.FileCheck;
import io.tributary.testkit.check.GtidCheck;
import io.tributary.testkit.check.LossCheck;
import io.tributary.testkit.check.Marker;
import io.tributary.testkit.check.OrderCheck;
import io.tributary.testkit.check.RowChainCheck;
import io.tributary.testkit.check.ShardHistory;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.check.WholenessCheck;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks of all invariants of a cluster that is idle; each method fails with the report of the first check that finds a violation. */
final class Invariants {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final LocalCluster cluster;

    Invariants(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Waits until the node has written so many more transactions. */
    static void awaitMore(LocalCluster cluster, int transactions) {
        long enough = cluster.transactionsWritten() + transactions;
        Await.until(
                () -> "more transactions; " + cluster.lastLines(),
                LIMIT,
                () -> cluster.transactionsWritten() >= enough);
    }

    /** Waits until the node has written all, and the replicas have applied all. */
    Invariants awaitApplied(MysqlReplica... replicas) throws SQLException {
        return awaitApplied(cluster.shards(), replicas);
    }

    /** As above if only some of the servers are shards. */
    Invariants awaitApplied(List<MysqlServer> shards, MysqlReplica... replicas) throws SQLException {
        cluster.awaitAllWritten(cluster.node(), shards, LIMIT);
        String gtids = cluster.gtidExecuted();
        for (MysqlReplica replica : replicas) {
            replica.awaitGtids(gtids, LIMIT);
        }
        return this;
    }

    /** I1 to I5: nothing lost, repeated, torn, out of order. */
    Invariants ofTransactions(Check... more) throws IOException {
        List<ShardHistory> shards = histories();
        List<Check> checks = checks(shards);
        checks.addAll(List.of(completeness(shards)));
        checks.addAll(List.of(more));
        output().forEach(checks.toArray(Check[]::new));
        checks.forEach(check -> check.report().assertClean());
        return this;
    }

    /**
     * As above, but for one transaction of one row that an operator left out on purpose: I1 and I3 must report it, and nothing else.
     *
     * @param table the table that the finding of I1 must name
     */
    Invariants ofTransactionsLeavingOutOneOf(String table) throws IOException {
        List<ShardHistory> shards = histories();
        List<Check> clean = checks(shards);
        Check[] findings = completeness(shards);
        List<Check> all = new ArrayList<>(clean);
        all.addAll(List.of(findings));
        output().forEach(all.toArray(Check[]::new));
        clean.forEach(check -> check.report().assertClean());
        for (Check each : findings) {
            if (each.report().violations() != 1) {
                throw new AssertionError("expected exactly one finding, of " + table + ": " + each.report());
            }
        }
        String loss = findings[0].report().first().get(0);
        if (!loss.contains(table)) {
            throw new AssertionError("expected a lost change of " + table + ", found " + loss);
        }
        return this;
    }

    /** I1 and I3: everything that the shards have is there. */
    private static Check[] completeness(List<ShardHistory> shards) {
        return new Check[] {new LossCheck(shards), new WholenessCheck(shards, Marker.ofWorkloads())};
    }

    /** I2, I4 and I5. */
    private static List<Check> checks(List<ShardHistory> shards) {
        return new ArrayList<>(List.of(
                new DuplicateCheck(shards, Marker.ofWorkloads()),
                new OrderCheck(shards, Marker.ofWorkloads()),
                new RowChainCheck()));
    }

    /** I1 to I6, if a bank was one of the workloads. */
    Invariants ofTransactions(BankWorkload bank) throws IOException {
        BankCheck check = new BankCheck();
        ofTransactions(check);
        if (check.sum() != bank.total()) {
            throw new AssertionError("I6 bank: the balances are " + check.sum() + " in all, not " + bank.total());
        }
        return this;
    }

    /** I7: the replicas have the rows of all shards together. */
    Invariants ofReplicas(List<String> schemas, MysqlReplica... replicas) throws SQLException {
        var union = TableChecksum.union(cluster.shards(), schemas);
        for (MysqlReplica replica : replicas) {
            TableChecksum.compare(union, TableChecksum.of(replica.server(), schemas))
                    .assertClean();
        }
        return this;
    }

    /** I9 and I11; first ends the node by SIGTERM, because a file that grows may end with an incomplete event. */
    Invariants ofFiles() throws IOException {
        if (!cluster.node().terminate()) {
            throw new AssertionError("the node had to be killed: it did not end on SIGTERM");
        }
        List<Path> files = output().files();
        GtidCheck.run(files).assertClean();
        FileCheck.run(files).assertClean();
        FileCheck.runMysqlbinlog(MysqlTools.cached(), files).assertClean();
        return this;
    }

    /** The transactions of the shards, from their own binlogs. */
    List<ShardHistory> histories() throws IOException {
        List<ShardHistory> histories = new ArrayList<>();
        for (MysqlServer shard : cluster.shards()) {
            histories.add(ShardHistory.read(shard.name(), BinlogReader.ofFolder(shard.dataFolder())));
        }
        return histories;
    }

    /** The node's binlog. */
    BinlogReader output() throws IOException {
        return BinlogReader.ofFolder(cluster.binlogFolder());
    }
}
