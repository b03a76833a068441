package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.SuffixCheck;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a bank over three shards, 30% of it XA, with two replicas and a mysqlbinlog that copies all the time; then checks of every invariant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BankIT {
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);
    private static final String FIRST = "binlog.000001";

    private Path folder;
    private LocalCluster cluster;
    private BankWorkload bank;
    private MysqlReplica byGtid;
    private MysqlReplica byPosition;
    private RemoteReader copier;
    private Invariants invariants;

    @BeforeAll
    void runTheBank(@TempDir Path temporary) throws Exception {
        folder = temporary;
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3")),
                config -> config.set("binlog.file.size", "100KiB"));
        cluster.node().start();
        byGtid = cluster.attachByGtid(cluster.newReplica("by-gtid", 8));
        byPosition = cluster.attachByPosition(cluster.newReplica("by-position", 1), FIRST, 4);
        copier = cluster.closing(RemoteReader.follow(cluster, folder.resolve("copy"), FIRST));
        invariants = new Invariants(cluster);
        bank = new BankWorkload(cluster.shards(), BankOptions.seeded(7));
        bank.prepare();
        bank.run(Duration.ofSeconds(8));
        invariants.awaitApplied(byGtid, byPosition);
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void everyTransactionIsWrittenOnceWholeAndInOrder() throws Exception {
        invariants.ofTransactions(bank);
        assertTrue(bank.figures().xa() > 50, "too few XA transactions: " + bank.figures());
    }

    @Test
    @Order(2)
    void replicasHaveTheRowsOfAllShards() throws Exception {
        invariants.ofReplicas(SCHEMAS, byGtid, byPosition);
        assertTrue(byGtid.isRunning() && byPosition.isRunning(), byGtid.error() + byPosition.error());
    }

    @Test
    @Order(3)
    void aReaderByGtidGetsExactlyTheMissingTransactions() throws Exception {
        List<BinlogTransaction> whole = invariants.output().all();
        GtidSet.Builder builder = GtidSet.EMPTY.toBuilder();
        whole.subList(0, whole.size() * 2 / 3).forEach(transaction -> builder.add(transaction.gtid()));
        GtidSet had = builder.build();
        Path copy = folder.resolve("by-gtid");
        MysqlTools.Outcome outcome = RemoteReader.readByGtid(
                cluster, copy, "--read-from-remote-source=BINLOG-DUMP-GTIDS", "--exclude-gtids=" + had.line(), FIRST);
        assertEquals(0, outcome.status(), outcome.output());
        SuffixCheck.byGtids(whole, had, RemoteReader.transactions(copy)).assertClean();
    }

    @Test
    @Order(4)
    void aReaderByPositionGetsExactlyTheRest() throws Exception {
        List<BinlogTransaction> whole = invariants.output().all();
        BinlogTransaction from = whole.get(whole.size() / 2);
        Path copy = folder.resolve("by-position");
        MysqlTools.Outcome outcome =
                RemoteReader.readByPosition(cluster, copy, "--start-position=" + from.start(), from.file());
        assertEquals(0, outcome.status(), outcome.output());
        SuffixCheck.byPosition(whole, from.file(), from.start(), RemoteReader.transactions(copy))
                .assertClean();
    }

    @Test
    @Order(5)
    void filesAreCorrectAndTheirCopiesHaveTheSameBytes() throws Exception {
        Path original = cluster.binlogFolder();
        assertTrue(RemoteReader.files(original).size() > 3, "rotated: " + RemoteReader.files(original));
        copier.awaitAll(original);
        invariants.ofFiles();
        RemoteReader.assertServedFrom(folder.resolve("copy"), original);
    }

    @Test
    @Order(6)
    void nothingSecretIsLogged() {
        String log = cluster.node().logText();
        assertFalse(log.contains("secret"), log);
        assertTrue(log.contains("server of readers opened"), log);
    }

    @Test
    @Order(7)
    void aReaderThatNeedsPurgedFilesGetsTheMissingGtids() throws Exception {
        BinlogTransaction purged = invariants.output().all().get(0);
        cluster.node().terminate();
        Files.delete(cluster.binlogFolder().resolve(FIRST));
        cluster.node().start();
        MysqlTools.Outcome outcome =
                RemoteReader.readByGtid(cluster, folder.resolve("purged"), "--exclude-gtids=" + purged.gtid(), FIRST);
        assertNotEquals(0, outcome.status());
        assertTrue(outcome.output().contains("purged"), outcome.output());
        String missing = purged.gtid().sid() + ":2-";
        assertTrue(outcome.output().contains(missing), outcome.output());

        MysqlReplica fresh = cluster.newReplica("fresh", 1);
        cluster.attachByGtid(fresh);
        Await.until(
                "the replica to be refused",
                Duration.ofSeconds(30),
                () -> fresh.error().contains("error 1236"));
        String lost = purged.gtid().sid() + ":1-";
        assertTrue(fresh.error().contains("purged") && fresh.error().contains(lost), fresh.error());
    }
}
