package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/**
 * A test of a bank over two MariaDB shards, one of which compresses its binlog, and a MySQL shard: XA over all of them, a kill of the node, restarts
 * of shards; then checks of every invariant, with a MySQL and a MariaDB replica.
 */
class MariadbShardsIT {
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);
    private static final Duration PART = Duration.ofSeconds(3);

    @BeforeAll
    static void getTheServer() {
        try {
            MysqlRelease.MARIADB_10_11.distribution();
        } catch (RuntimeException e) { // no Debian, or no network
            throw new TestAbortedException(
                    "MariaDB shards are not tested: the server is not available: " + e.getMessage(), e);
        }
    }

    private static MysqlOptions shard(String name, MysqlRelease release, String... options) {
        return MysqlOptions.named(name)
                .of(release)
                .with("--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci")
                .with(options);
    }

    @Test
    void mariadbAndMysqlShardsAreOneBinlog(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        List.of(
                                shard("s1", MysqlRelease.MARIADB_10_11),
                                shard(
                                        "s2",
                                        MysqlRelease.MARIADB_10_11,
                                        "--log-bin-compress=ON",
                                        "--log-bin-compress-min-len=10",
                                        "--gtid-domain-id=7"),
                                shard("s3", MysqlRelease.MYSQL_8_0_31)),
                        config -> config.set("binlog.file.size", "256KiB").set("serve.native-password", "true"));
                BankWorkload bank = new BankWorkload(
                        cluster.shards(), BankOptions.seeded(31).perSecond(300))) {
            cluster.node().start();
            MysqlReplica mysql = cluster.attachByGtid(cluster.newReplica("mysql", 8));
            MysqlReplica mariadb = cluster.attachByPosition(
                    cluster.newReplica(MysqlReplica.options(MysqlRelease.MARIADB_10_11, "mariadb", 1)),
                    "binlog.000001",
                    4);
            bank.prepare();
            bank.run(PART);

            bank.start();
            cluster.node().kill9();
            cluster.shards().get(0).execute("FLUSH BINARY LOGS");
            cluster.node().start();
            cluster.shards().get(1).restart();
            bank.stop();
            cluster.awaitAllWritten(Invariants.LIMIT); // all rows of the old shape have been written
            for (MysqlServer shard : cluster.shards()) {
                shard.execute("ALTER TABLE bank.accounts ADD COLUMN remark VARCHAR(20) DEFAULT 'none'");
            }
            bank.run(PART);

            Invariants invariants = new Invariants(cluster).awaitApplied(mysql).ofTransactions(bank);
            awaitAll(cluster, mariadb);
            invariants.ofReplicas(SCHEMAS, mysql, mariadb);
            assertTrue(mysql.isRunning(), mysql.error());
            assertTrue(bank.figures().xa() > 50, "too few XA transactions: " + bank.figures());
            invariants.ofFiles();
        }
    }

    /** Waits for its rows, because a MariaDB replica has no GTID set of MySQL to wait for. */
    private static void awaitAll(LocalCluster cluster, MysqlReplica replica) throws Exception {
        var wanted = TableChecksum.union(cluster.shards(), SCHEMAS);
        Await.until("the MariaDB replica to have all rows", Invariants.LIMIT, () -> {
            String error = replica.error();
            if (!error.isEmpty()) {
                throw new AssertionError(error);
            }
            return wanted.equals(TableChecksum.of(replica.server(), SCHEMAS));
        });
    }
}
