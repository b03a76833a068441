package io.tributary.system.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A node, and a shard with 20 MB of rows whose binlogs the node has not read; and seeds of it. */
final class StockShard {
    static final Duration LIMIT = Duration.ofMinutes(2);
    static final int ROWS = 20_000;
    private static final List<String> SCHEMAS = List.of("stock", ChangingTable.SCHEMA);

    private StockShard() {}

    /** @param fileSize of the node's binlog files */
    static LocalCluster cluster(Path folder, String fileSize) throws SQLException {
        LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1")),
                config -> config.withoutTls().startingAtLatest().set("binlog.file.size", fileSize));
        try {
            cluster.shards()
                    .get(0)
                    .execute(
                            "CREATE DATABASE stock",
                            "CREATE TABLE stock.items (id INT PRIMARY KEY, n INT NOT NULL, v VARCHAR(1000))",
                            "SET SESSION cte_max_recursion_depth = 1000000",
                            "INSERT INTO stock.items WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                                    + ROWS + ") SELECT i, -i, REPEAT('v', 1000) FROM n");
            return cluster;
        } catch (SQLException e) {
            cluster.close();
            throw e;
        }
    }

    static int rows(MysqlServer target) {
        try {
            return Integer.parseInt(target.text("SELECT COUNT(*) FROM stock.items"));
        } catch (SQLException e) {
            return 0; // it is not made yet, or the server does not run
        }
    }

    static void awaitRows(SeedProcess seed, MysqlServer target, int most) {
        Await.until(() -> "copied rows: " + seed.text(), LIMIT, () -> rows(target) > most);
    }

    static void assertEqual(
            LocalCluster cluster, List<MysqlServer> written, List<MysqlServer> shards, MysqlReplica replica)
            throws Exception {
        cluster.awaitAllWritten(cluster.node(), written, LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
        assertEquals("", replica.error());
        TableChecksum.compare(TableChecksum.union(shards, SCHEMAS), TableChecksum.of(replica.server(), SCHEMAS))
                .assertClean();
    }
}
