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

/** All that must hold of a cluster at rest; each method fails with the words of the first checker that found something. */
final class Invariants {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final LocalCluster cluster;

    Invariants(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Waits until the node has written that many transactions more. */
    static void awaitMore(LocalCluster cluster, int transactions) {
        long enough = cluster.transactionsWritten() + transactions;
        Await.until(
                () -> "more transactions; " + cluster.lastLines(),
                LIMIT,
                () -> cluster.transactionsWritten() >= enough);
    }

    /** Waits until the node has written all, and the replicas have applied all. */
    Invariants settle(MysqlReplica... replicas) throws SQLException {
        return settle(cluster.shards(), replicas);
    }

    /** As above where some of the servers are shards only. */
    Invariants settle(List<MysqlServer> shards, MysqlReplica... replicas) throws SQLException {
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
        List<Check> checks = new ArrayList<>(List.of(
                new LossCheck(shards),
                new DuplicateCheck(shards, Marker.ofWorkloads()),
                new WholenessCheck(shards, Marker.ofWorkloads()),
                new OrderCheck(shards, Marker.ofWorkloads()),
                new RowChainCheck()));
        checks.addAll(List.of(more));
        output().forEach(checks.toArray(Check[]::new));
        checks.forEach(check -> check.report().assertClean());
        return this;
    }

    /** I1 to I6, where a bank was among the workloads. */
    Invariants ofTransactions(BankWorkload bank) throws IOException {
        BankCheck check = new BankCheck();
        ofTransactions(check);
        if (check.sum() != bank.total()) {
            throw new AssertionError("I6 bank: the balances are " + check.sum() + " in all, not " + bank.total());
        }
        return this;
    }

    /** I7: the replicas have what all shards have together. */
    Invariants ofReplicas(List<String> schemas, MysqlReplica... replicas) throws SQLException {
        var union = TableChecksum.union(cluster.shards(), schemas);
        for (MysqlReplica replica : replicas) {
            TableChecksum.compare(union, TableChecksum.of(replica.server(), schemas))
                    .assertClean();
        }
        return this;
    }

    /** I9 and I11; ends the node in good order first, since a file that grows may end in half an event. */
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

    /** What the shards did, from their own binlogs. */
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
