package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of statements that change tables: they arrive from every shard and are written once; rows of an old shape are always reported. */
class DdlIT {
    private static final List<String> SCHEMAS = List.of("shop");

    @Test
    void eachStatementIsWrittenOnceAndAMixedShapeHoldsItsShard(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            cluster.node().config().set("ddl.rows", "refuse");
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            Invariants invariants = new Invariants(cluster);

            onEach(cluster, "CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT)");
            onEach(cluster, "CREATE TABLE shop.gone (id INT PRIMARY KEY)");
            onEach(cluster, "DROP TABLE shop.gone");
            insert(cluster, "(1, 10)", "(2, 20)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            onEach(cluster, "ALTER TABLE shop.t ADD COLUMN b VARCHAR(20) DEFAULT 'new'");
            insert(cluster, "(3, 30, 'x')", "(4, 40, 'y')");
            onEach(cluster, "ALTER TABLE shop.t ADD INDEX by_a (a)", "CREATE VIEW shop.v AS SELECT a FROM shop.t");
            onEach(cluster, "CREATE USER 'somebody'@'%'", "GRANT SELECT ON shop.* TO 'somebody'@'%'");

            invariants.awaitApplied(replica).ofTransactions().ofReplicas(SCHEMAS, replica);
            List<String> statements = invariants.output().all().stream()
                    .flatMap(transaction -> transaction.queries().stream())
                    .map(text -> text.toLowerCase(Locale.ROOT))
                    .toList();
            assertEquals(7, statements.size(), statements.toString());
            assertEquals("Yes", replica.status().get("Replica_SQL_Running"));

            holdsTheShardWhoseRowsHaveTheOldShape(cluster);
            writesOldShapesWhenConfigured(cluster, replica);
        }
    }

    @Test
    void aStatementIsWrittenOnceWhenTheNodeIsKilledBetweenItsArrivals(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.withoutTls()
                        .set("table.map.tables.from", "(shop)_\\d+\\.(orders)_\\d+")
                        .set("table.map.tables.to", "$1.$2")
                        .set("table.map.schemas.from", "(shop)_\\d+")
                        .set("table.map.schemas.to", "$1"))) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            for (int shard = 1; shard <= 2; shard++) {
                String table = "shop_" + shard + ".orders_" + shard;
                cluster.shards()
                        .get(shard - 1)
                        .execute(
                                "CREATE DATABASE shop_" + shard,
                                "CREATE TABLE " + table + " (id INT PRIMARY KEY)",
                                "ALTER TABLE " + table + " ADD COLUMN v VARCHAR(10)",
                                "INSERT INTO " + table + " VALUES (" + shard + ", 'of " + shard + "')");
                cluster.awaitAllWritten(Invariants.LIMIT);
                cluster.node().kill9();
                cluster.node().start();
            }
            new Invariants(cluster).awaitApplied(replica);
            String rows = "SELECT GROUP_CONCAT(CONCAT(id, ' ', v) ORDER BY id) FROM shop.orders";
            assertEquals("1 of 1,2 of 2", replica.server().text(rows));
        }
    }

    private static void holdsTheShardWhoseRowsHaveTheOldShape(LocalCluster cluster) throws Exception {
        cluster.shards().get(0).execute("ALTER TABLE shop.t ADD COLUMN c INT");
        cluster.awaitAllWritten(Invariants.LIMIT);
        List<BinlogTransaction> before = new Invariants(cluster).output().all();
        cluster.shards().get(1).execute("INSERT INTO shop.t VALUES (6, 60, 'old shape')");
        NodeProcess node = cluster.node();
        Await.until(
                "a held shard", Invariants.LIMIT, () -> node.fact("ddl.held").isPresent());
        String text = node.fact("ddl.held").orElseThrow() + node.lastLines();
        for (String part : List.of("SCHEMA_MIXED", "shop.t", "s2", "tributary ddl skip")) {
            assertTrue(text.contains(part), part + " in: " + text);
        }
        assertEquals(before.size(), new Invariants(cluster).output().all().size());
        assertTrue(node.isHealthy());
        assertTrue(node.terminate());
    }

    private static void writesOldShapesWhenConfigured(LocalCluster cluster, MysqlReplica replica) throws Exception {
        NodeProcess node = cluster.node();
        node.config().set("ddl.rows", "pass");
        node.start();
        cluster.shards().get(1).execute("ALTER TABLE shop.t ADD COLUMN c INT", "DROP DATABASE shop");
        cluster.shards().get(0).execute("DROP DATABASE shop");
        new Invariants(cluster).awaitApplied(replica).ofTransactions();
        assertTrue(TableChecksum.of(replica.server(), SCHEMAS).isEmpty());
    }

    private static void onEach(LocalCluster cluster, String... statements) throws SQLException {
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(statements);
        }
    }

    private static void insert(LocalCluster cluster, String first, String second) throws SQLException {
        cluster.shards().get(0).execute("INSERT INTO shop.t VALUES " + first);
        cluster.shards().get(1).execute("INSERT INTO shop.t VALUES " + second);
    }
}
