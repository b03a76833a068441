package io.tributary.faults.check;

import io.tributary.faults.reader.LiveReader;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.LogCopies;
import io.tributary.testkit.check.BankCheck;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.Check;
import io.tributary.testkit.check.DuplicateCheck;
import io.tributary.testkit.check.FileCheck;
import io.tributary.testkit.check.GtidCheck;
import io.tributary.testkit.check.LossCheck;
import io.tributary.testkit.check.Marker;
import io.tributary.testkit.check.OrderCheck;
import io.tributary.testkit.check.Report;
import io.tributary.testkit.check.RowChainCheck;
import io.tributary.testkit.check.ShardHistory;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.check.WholenessCheck;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks a test cluster without load: I1 to I11 and I13, as far as they can be checked from outside while its nodes run. */
public final class Audit {
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);

    private Audit() {}

    /** All checks that are possible while the nodes run and nothing is written. */
    public static Findings of(TestCluster cluster) throws IOException, SQLException {
        BinlogReader output = BinlogReader.ofFolder(cluster.binlogFolder());
        TransferCheck transfers = new TransferCheck(cluster.shards());
        BankCheck bank = new BankCheck();
        List<Check> checks = new ArrayList<>(ofTransactions(cluster));
        checks.add(bank);
        checks.add(transfers);
        output.forEach(checks.toArray(Check[]::new));
        List<Report> reports = new ArrayList<>();
        checks.forEach(check -> reports.add(check.report()));
        if (bank.sum() != cluster.bank().total()) {
            reports.add(new Report("I6 bank", 1, 1, List.of("the sum of the balances is " + bank.sum())));
        }
        reports.add(TableChecksum.compare(
                TableChecksum.union(cluster.shards(), SCHEMAS),
                TableChecksum.of(cluster.replica().server(), SCHEMAS)));
        addReaders(cluster, reports);
        if (cluster.dumpers().size() > 1) {
            reports.add(copies(cluster));
            reports.add(EpochCheck.run(output.files()));
        }
        reports.add(GtidCheck.run(output.files()));
        List<Path> finished = output.files().subList(0, output.files().size() - 1);
        if (!finished.isEmpty()) {
            reports.add(FileCheck.run(finished));
        }
        return new Findings(
                transfers.transactions(),
                transfers.lost().size(),
                transfers.duplicated().size(),
                transfers.torn().size(),
                reports);
    }

    /** I8: the files of all Dumpers are the same. */
    private static Report copies(TestCluster cluster) {
        try {
            LogCopies copies = LogCopies.awaitSame(cluster.leader(), cluster.dumpers(), TestCluster.LIMIT);
            return new Report("I8 copies", copies.files(), 0, List.of());
        } catch (IllegalStateException | AssertionError e) {
            return new Report("I8 copies", 1, 1, List.of(e.getMessage()));
        }
    }

    /** I8 and I10 for every reader: what any node served is compared with the files of the current leader. */
    private static void addReaders(TestCluster cluster, List<Report> reports) throws IOException {
        Path leader = cluster.binlogFolder();
        for (Map.Entry<String, LiveReader> one : cluster.readers().entrySet()) {
            reports.add(one.getValue().bytes(one.getKey(), leader));
            reports.add(one.getValue().suffixes(one.getKey()));
        }
    }

    private static List<Check> ofTransactions(TestCluster cluster) throws IOException {
        List<ShardHistory> shards = new ArrayList<>();
        for (MysqlServer shard : cluster.shards()) {
            shards.add(ShardHistory.read(shard.name(), BinlogReader.ofFolder(shard.dataFolder())));
        }
        List<Marker> markers = Marker.ofWorkloads();
        return List.of(
                new LossCheck(shards),
                new DuplicateCheck(shards, markers),
                new WholenessCheck(shards, markers),
                new OrderCheck(shards, markers),
                new RowChainCheck());
    }

    /** I8, I9 and I11 of complete files, also with mysqlbinlog's check, after the nodes have ended. */
    public static List<Report> ofFiles(TestCluster cluster) throws IOException {
        List<Path> files = BinlogReader.ofFolder(cluster.binlogFolder()).files();
        return List.of(
                cluster.reader().bytes("the reader", cluster.binlogFolder()),
                GtidCheck.run(files),
                FileCheck.run(files),
                FileCheck.runMysqlbinlog(MysqlTools.cached(), files));
    }
}
