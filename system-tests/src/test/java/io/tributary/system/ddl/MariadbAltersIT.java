package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of statements that MariaDB interprets differently from MySQL: shard by shard, with rows of shards that have not run them, and a restart in
 * between.
 */
class MariadbAltersIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration ARRIVAL = Duration.ofSeconds(20);

    /** Each runs on a separate table. */
    private static final List<String> ALTERS = List.of(
            "ADD COLUMN a DATETIME NOT NULL DEFAULT '2020-01-01 10:11:12'",
            "ADD COLUMN a INT NOT NULL DEFAULT (2.5)",
            "ADD COLUMN a DATETIME NOT NULL ON UPDATE NOW()",
            "ADD COLUMN a JSON NOT NULL DEFAULT '{\"a\": 1}'",
            "ADD COLUMN a JSON",
            "ADD COLUMN a UUID",
            "ADD COLUMN a INET4 DEFAULT '10.0.0.1'",
            "ADD COLUMN a INET6 NOT NULL DEFAULT '::ffff:10.0.0.1'",
            "ADD COLUMN a INET6 DEFAULT '::1'",
            "ADD COLUMN a INT NOT NULL DEFAULT 5, DROP CONSTRAINT CONSTRAINT_1",
            "MODIFY COLUMN v BIGINT",
            "ADD UNIQUE (s)",
            "ADD COLUMN a VARCHAR(10) CHARACTER SET utf8mb4 NOT NULL DEFAULT 'ä'",
            "ADD COLUMN a INT AS (v + 1) PERSISTENT");

    @BeforeAll
    static void getTheServer() {
        DdlCluster.requireMariadb();
    }

    @Test
    void rowsOfMariadbShardsHaveTheColumnsOfTheirAlters(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster =
                LocalCluster.withShards(folder, List.of(mariadb("s1"), mariadb("s2")), MariadbAltersIT::forMariadb)) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByPosition(
                    cluster.newReplica(MysqlReplica.options(MysqlRelease.MARIADB_10_11, "replica", 1)),
                    "binlog.000001",
                    4);
            for (int shard = 1; shard <= 2; shard++) {
                execute(cluster, shard, "CREATE DATABASE shop");
                for (int table = 0; table < ALTERS.size(); table++) {
                    execute(
                            cluster,
                            shard,
                            "CREATE TABLE shop.t" + table
                                    + " (id INT PRIMARY KEY, v INT CHECK (v > 0), s TEXT, CHECK (id > 0))",
                            row(table, shard));
                }
            }
            awaitWritten(cluster);
            for (int table = 0; table < ALTERS.size(); table++) {
                execute(cluster, 1, alter(table), row(table, 3));
            }
            awaitWritten(cluster);
            cluster.node().kill9();
            cluster.node().start();
            for (int table = 0; table < ALTERS.size(); table++) {
                execute(cluster, 2, row(table, 4), "UPDATE shop.t" + table + " SET v = 9 WHERE id = 2");
                execute(cluster, 1, row(table, 5));
            }
            awaitWritten(cluster);
            for (int table = 0; table < ALTERS.size(); table++) {
                execute(cluster, 2, alter(table), row(table, 6));
                execute(cluster, 1, row(table, 7));
            }
            awaitWritten(cluster);
            List<String> differing = new ArrayList<>();
            for (int table = 0; table < ALTERS.size(); table++) {
                String difference = difference(cluster, replica, "shop.t" + table);
                if (!difference.isEmpty()) {
                    differing.add(ALTERS.get(table) + ": " + difference);
                }
            }
            assertEquals(List.of(), differing);
        }
    }

    private static NodeConfig forMariadb(NodeConfig config) {
        return config.set("serve.native-password", "true");
    }

    @Test
    void aReplicaOfMysqlHasTheCollationsOfMariadb(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder, List.of(mariadb("s1"), mysql("s2")), config -> config.set("serve.native-password", "true"))) {
            cluster.node().start();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica("replica", 4));
            String create = "CREATE TABLE shop.t (id INT PRIMARY KEY, s VARCHAR(20) CHARACTER SET utf8mb4 UNIQUE)";
            execute(cluster, 1, "CREATE DATABASE shop", create, "INSERT INTO shop.t VALUES (1, 'ss'), (3, 'ß')");
            awaitWritten(cluster);
            execute(
                    cluster,
                    2,
                    "SET SESSION default_collation_for_utf8mb4 = utf8mb4_general_ci",
                    "CREATE DATABASE shop",
                    create,
                    "ALTER TABLE shop.t ADD COLUMN a VARCHAR(10) CHARACTER SET utf8mb4 NOT NULL DEFAULT 'ä'",
                    "INSERT INTO shop.t VALUES (2, 'x', 'y')");
            awaitWritten(cluster);
            execute(
                    cluster,
                    1,
                    "INSERT INTO shop.t VALUES (5, 'z')",
                    "ALTER TABLE shop.t ADD COLUMN a VARCHAR(10) CHARACTER SET utf8mb4 NOT NULL DEFAULT 'ä'",
                    "INSERT INTO shop.t VALUES (7, 'zz', 'q')");
            awaitWritten(cluster);
            assertEquals("", difference(cluster, replica, "shop.t"));
            String collations = "SELECT GROUP_CONCAT(collation_name) FROM information_schema.columns"
                    + " WHERE table_schema = 'shop' AND collation_name IS NOT NULL";
            assertEquals(
                    cluster.shards().get(0).text(collations), replica.server().text(collations));
        }
    }

    private static void awaitWritten(LocalCluster cluster) throws Exception {
        try {
            cluster.awaitAllWritten(LIMIT);
        } catch (IllegalStateException late) {
            throw new AssertionError(
                    new DdlCommands(cluster.node()).run("ddl", "list").output(), late);
        }
    }

    private static String alter(int table) {
        return "ALTER TABLE shop.t" + table + " " + ALTERS.get(table);
    }

    private static String row(int table, int id) {
        return "INSERT INTO shop.t" + table + " (id, v, s) VALUES (" + id + ", 1, 's" + id + "')";
    }

    private static void execute(LocalCluster cluster, int shard, String... statements) throws Exception {
        cluster.shards().get(shard - 1).execute(statements);
    }

    private static MysqlOptions mariadb(String name) {
        return mysql(name).of(MysqlRelease.MARIADB_10_11);
    }

    private static MysqlOptions mysql(String name) {
        return MysqlOptions.named(name).with("--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci");
    }

    /** The difference between a table of the replica and those of all shards together; "" if there is none. */
    private static String difference(LocalCluster cluster, MysqlReplica replica, String table) throws Exception {
        List<String> schemas = List.of("shop");
        TableChecksum wanted = TableChecksum.union(cluster.shards(), schemas).get(table);
        String[] last = {""};
        try {
            Await.until("the replica to have all rows", ARRIVAL, () -> {
                if (!replica.error().isEmpty()) {
                    throw new AssertionError(replica.error() + last[0]);
                }
                TableChecksum own = TableChecksum.of(replica.server(), schemas).get(table);
                last[0] = wanted + " on the shards, " + own + " on the replica";
                return wanted.equals(own);
            });
            return "";
        } catch (IllegalStateException late) {
            return last[0];
        }
    }
}
