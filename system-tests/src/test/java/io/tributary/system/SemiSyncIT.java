package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.SemiSyncPlugin;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with MySQL's own semi-sync replica, which acknowledges, and another replica, which waits for it. */
class SemiSyncIT {
    @Test
    void aReplicaGetsATransactionWhenTheSemiSyncReplicaHasIt(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1")),
                config -> config.set("serve.semi-sync.wait-for", "1").set("serve.semi-sync.timeout", "1h"))) {
            cluster.node().start();
            MysqlServer shard = cluster.shards().get(0);
            MysqlReplica semiSync =
                    cluster.attachByGtid(cluster.newReplica(SemiSyncPlugin.in(MysqlReplica.options("semi", 1))));
            MysqlReplica plain = cluster.attachByGtid(cluster.newReplica("plain", 1));
            Await.until("semi-sync to be on; " + semiSync.error(), Invariants.LIMIT, () -> isSemiSync(semiSync));
            assertFalse(isSemiSync(plain));

            shard.execute("CREATE DATABASE semi", "CREATE TABLE semi.t (id INT PRIMARY KEY)");
            for (int id = 0; id < 40; id++) {
                shard.execute("INSERT INTO semi.t VALUES (" + id + ")");
            }
            awaitApplied(cluster, plain);
            assertEquals("40", plain.server().text("SELECT COUNT(*) FROM semi.t"));

            semiSync.stop();
            shard.execute("INSERT INTO semi.t VALUES (1000)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            GtidSet durable = GtidSet.parse(cluster.gtidExecuted());
            assertFalse(GtidSet.parse(plain.server().gtidExecuted()).containsAll(durable), "held back");

            semiSync.server().execute("CHANGE REPLICATION SOURCE TO SOURCE_COMPRESSION_ALGORITHMS = 'zstd'");
            semiSync.start();
            awaitApplied(cluster, plain);
            semiSync.awaitGtids(durable.line(), Invariants.LIMIT);
            assertEquals("41", plain.server().text("SELECT COUNT(*) FROM semi.t"));

            for (int id = 2000;
                    id < 2300;
                    id++) { // more packets than there are sequence ids, each with an acknowledgement
                shard.execute("INSERT INTO semi.t VALUES (" + id + ")");
            }
            awaitApplied(cluster, plain);
            assertEquals("341", plain.server().text("SELECT COUNT(*) FROM semi.t"));
            assertTrue(isSemiSync(semiSync), "it still acknowledges");
            assertEquals(0, cluster.node().metric("tributary_serve_semi_sync_timeouts_total"));
        }
    }

    private static void awaitApplied(LocalCluster cluster, MysqlReplica replica) throws SQLException {
        cluster.awaitAllWritten(Invariants.LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), Invariants.LIMIT);
    }

    private static boolean isSemiSync(MysqlReplica replica) throws SQLException {
        try (Sql sql = replica.server().sql()) {
            return sql.rows("SHOW STATUS LIKE 'Rpl_semi_sync_replica_status'").stream()
                    .anyMatch(row -> "ON".equals(row.get("Value")));
        }
    }
}
