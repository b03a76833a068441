package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlTools;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a MariaDB shard that writes names in lower case ({@code lower_case_table_names=1}) together with a shard that keeps their case. */
class LetterCaseIT {
    @BeforeAll
    static void getTheServer() {
        DdlCluster.requireMariadb();
    }

    @Test
    void namesOfTheShardThatFoldsThemAreWrittenInLowerCase(@TempDir Path folder) throws Exception {
        LocalCluster processes =
                LocalCluster.withShards(folder, List.of(shard("s1"), folding("s2")), DdlCluster::members);
        try (processes) {
            processes.node().start();
            DdlCluster cluster = new DdlCluster(processes, processes.attachByGtid(processes.newReplica("replica", 4)));
            cluster.on(1, "CREATE DATABASE shop", "CREATE TABLE shop.orders (id INT PRIMARY KEY, v INT)");
            cluster.on(2, "CREATE DATABASE Shop", "CREATE TABLE Shop.Orders (id INT PRIMARY KEY, v INT)");
            cluster.on(1, "INSERT INTO shop.orders VALUES (1, 1)");
            cluster.on(2, "INSERT INTO SHOP.ORDERS VALUES (2, 2)");
            cluster.awaitReplica("2", "SELECT COUNT(*) FROM shop.orders");
            cluster.on(2, "ALTER TABLE Shop.Orders ADD COLUMN w INT DEFAULT 5 FIRST");
            cluster.on(1, "INSERT INTO shop.orders VALUES (3, 3)");
            cluster.awaitReplica("1", "SELECT COUNT(*) FROM shop.orders WHERE id = 3 AND v = 3 AND w = 5");
            cluster.on(1, "ALTER TABLE shop.orders ADD COLUMN w INT DEFAULT 5 FIRST");
            cluster.on(2, "TRUNCATE TABLE SHOP.orders", "INSERT INTO shop.Orders VALUES (5, 5, 5)");
            cluster.awaitWaiting("TRUNCATE", "shop.orders");
            cluster.on(1, "TRUNCATE TABLE shop.orders");
            cluster.awaitReplica("5", "SELECT SUM(id) FROM shop.orders");
            cluster.awaitNothingListed();
            cluster.assertUnion("shop");
            cluster.assertOnce("CREATE TABLE ", "SHOP.ORDERS");
            cluster.assertOnce("ALTER TABLE ");
            cluster.assertOnce("TRUNCATE");
            MysqlTools.Outcome check = cluster.commands().run("check");
            assertTrue(check.output().contains("lower_case_table_names"), check::output);
        }
    }

    private static MysqlOptions shard(String name) {
        return MysqlOptions.named(name).with("--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci");
    }

    private static MysqlOptions folding(String name) {
        return shard(name).of(MysqlRelease.MARIADB_10_11).with("--lower-case-table-names=1");
    }
}
