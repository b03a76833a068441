package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.DependencyCheck;
import io.tributary.testkit.check.DependencyCheck.KeyColumn;
import io.tributary.testkit.check.DependencyCheck.RowKey;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.KeyWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real replicas with 16 workers apply transactions in parallel by their keys ({@code binlog.parallel=writeset}), with and without the order of commits:
 * unique values that move from row to row and from shard to shard, keys without letter case, prefixes, foreign keys, tables without keys.
 */
class WritesetIT {
    private static final int WORKERS = 16;
    private static final List<String> SCHEMAS = List.of(KeyWorkload.SCHEMA, BankWorkload.SCHEMA, "moves");
    private static final Duration LOAD = Duration.ofSeconds(Integer.getInteger("seconds", 3));
    private static final int MOVED = Integer.getInteger("moved", 500);
    private static final int MOVED_AT_ONCE = 50;

    /** The keys of the tables of the load, as they are, not as the product sees them. */
    private static final List<RowKey> KEYS = List.of(
            RowKey.of("swaps", "keyed.swaps", KeyColumn.of(0)),
            RowKey.of("swaps.u", "keyed.swaps", KeyColumn.of(1)),
            RowKey.of("words", "keyed.words", new KeyColumn(0, true, 0)),
            RowKey.of("prefixes", "keyed.prefixes", KeyColumn.of(0)),
            RowKey.of("prefixes.word", "keyed.prefixes", new KeyColumn(1, false, 3)),
            RowKey.of("parents", "keyed.parents", KeyColumn.of(0)),
            RowKey.of("children", "keyed.children", KeyColumn.of(0)),
            new RowKey("parents", "keyed.children", List.of(KeyColumn.of(1)), true),
            RowKey.of("owners", "keyed.owners", KeyColumn.of(0)),
            RowKey.of("owned", "keyed.owned", KeyColumn.of(0)),
            RowKey.of("owned.u", "keyed.owned", KeyColumn.of(2)),
            RowKey.of("owning", "keyed.owners"),
            new RowKey("owning", "keyed.owned", List.of(), true),
            RowKey.of("nokey", "keyed.nokey"),
            RowKey.of("moved", "moves.moved", KeyColumn.of(0)),
            RowKey.of("moved.u", "moves.moved", KeyColumn.of(1)),
            RowKey.of("accounts", "bank.accounts", KeyColumn.of(0)));

    @Test
    void replicasWithManyWorkersHaveTheRowsOfTheShards(@TempDir Path folder) throws Exception {
        replicasHaveTheRows(folder, List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")), LOAD, MOVED);
    }

    /** MariaDB shards report no dependencies at all. */
    @Test
    void replicasOfMariadbShardsHaveTheRowsOfTheShards(@TempDir Path folder) throws Exception {
        replicasHaveTheRows(
                folder,
                List.of(
                        MysqlOptions.named("s1").of(MysqlRelease.MARIADB_10_11),
                        MysqlOptions.named("s2").of(MysqlRelease.MARIADB_10_11)),
                LOAD.dividedBy(2),
                MOVED / 4);
    }

    private static void replicasHaveTheRows(Path folder, List<MysqlOptions> shards, Duration load, int moved)
            throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                        folder,
                        shards,
                        config -> config.set("binlog.parallel", "writeset")
                                .set("binlog.file.size", "4MiB")
                                .set("heartbeat.interval", "20ms")
                                .withoutTls());
                BankWorkload bank =
                        new BankWorkload(cluster.shards(), BankOptions.seeded(5).perSecond(300));
                KeyWorkload keys = new KeyWorkload(cluster.shards(), 5, 4 * shards.size())) {
            cluster.node().start();
            bank.prepare();
            keys.prepare();
            bank.start();
            keys.run(load);
            bank.stop();
            moveRows(cluster, moved);
            cluster.awaitAllWritten(Invariants.LIMIT);
            replicaHasTheRows(cluster, "ordered", "ON");
            replicaHasTheRows(cluster, "unordered", "OFF");
            DependencyCheck dependencies = new DependencyCheck(KEYS);
            new Invariants(cluster).output().forEach(dependencies);
            dependencies.report().assertClean();
            long all = cluster.transactionsWritten();
            System.out.printf(
                    "%d transactions, %d depend on an older one than the one before, %.0f alone, %d of the load%n",
                    all,
                    dependencies.parallel(),
                    cluster.node().metric("tributary_collect_alone_total"),
                    keys.committed());
            assertTrue(dependencies.parallel() > all / 2, dependencies.parallel() + " of " + all);
        }
    }

    /** The replica has everything in its relay log before it applies, so that its workers always have transactions. */
    private static void replicaHasTheRows(LocalCluster cluster, String name, String keepsOrder) throws Exception {
        String gtids = cluster.gtidExecuted();
        try (MysqlServer server = MysqlServer.start(MysqlReplica.options(name, WORKERS)
                .with("--replica-preserve-commit-order=" + keepsOrder, "--binlog-group-commit-sync-delay=500"))) {
            MysqlReplica replica = new MysqlReplica(server);
            replica.receiveByGtid(
                    "127.0.0.1", cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password());
            Await.until(
                    "the relay log of " + name + " to hold " + gtids,
                    Invariants.LIMIT,
                    () -> replica.status()
                            .getOrDefault("Retrieved_Gtid_Set", "")
                            .replace("\n", "")
                            .equals(gtids));
            replica.start();
            replica.awaitGtids(gtids, Duration.ofMinutes(8));
            assertEquals("", replica.error());
            new Invariants(cluster).ofReplicas(SCHEMAS, replica);
            List<String> wrong = Files.readAllLines(server.log()).stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).contains("inconsistent"))
                    .toList();
            assertEquals(List.of(), wrong);
            replica.stop();
        }
    }

    /** Each row is deleted on one shard and inserted on another, in local transactions of one row; both values of it are unique. */
    private static void moveRows(LocalCluster cluster, int moved) throws SQLException {
        List<MysqlServer> shards = cluster.shards();
        for (MysqlServer shard : shards) {
            shard.execute("CREATE DATABASE moves", "CREATE TABLE moves.moved (id INT PRIMARY KEY, u INT, UNIQUE (u))");
        }
        MysqlServer from = shards.get(0);
        MysqlServer to = shards.get(1);
        try (Sql old = from.sql();
                Sql other = to.sql()) {
            for (int id = 0; id < moved; id += 100) {
                StringBuilder rows = new StringBuilder("INSERT INTO moves.moved VALUES (" + id + ", " + id + ")");
                for (int i = 1; i < 100; i++) {
                    rows.append(", (")
                            .append(id + i)
                            .append(", ")
                            .append(id + i)
                            .append(')');
                }
                old.execute(rows.toString());
            }
            for (int id = 0; id < moved; id += MOVED_AT_ONCE) {
                for (int i = id; i < id + MOVED_AT_ONCE; i++) {
                    old.execute("DELETE FROM moves.moved WHERE id = " + i);
                }
                cluster.awaitAllWritten(cluster.node(), List.of(from), Invariants.LIMIT);
                for (int i = id + MOVED_AT_ONCE - 1;
                        i >= id;
                        i--) { // with the id of another row, and the same unique value
                    other.execute("INSERT INTO moves.moved VALUES (" + (i ^ 1) + ", " + i + ")");
                }
            }
        }
    }
}
