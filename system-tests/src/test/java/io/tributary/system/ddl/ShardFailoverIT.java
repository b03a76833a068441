package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a replica that replaces a shard while schema changes are incomplete: it has the statements of the shard under the same GTIDs. */
class ShardFailoverIT {
    private static final String TABLE = "d.t";

    @Test
    void changesAreCompletedWhenAReplicaReplacesTheShardBetweenThem(@TempDir Path folder) throws Exception {
        try (LocalCluster shards =
                LocalCluster.withShards(folder, DdlCluster.options(2), config -> DdlCluster.members(config))) {
            MysqlServer first = shards.shards().get(0);
            MysqlServer second = shards.shards().get(1);
            MysqlReplica standby = shards.newReplica("standby", 1);
            MysqlUser.tributary(first.release()).createForTributary(standby.server());
            standby.attachByGtid("127.0.0.1", first.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
            standby.server().execute("SET GLOBAL read_only = ON");
            shards.node()
                    .config()
                    .set("shard.s1.standby", "127.0.0.1:" + standby.server().port());
            shards.node().start();
            DdlCluster cluster = new DdlCluster(shards, shards.attachByGtid(shards.newReplica("replica", 4)));
            cluster.onEach("CREATE DATABASE d", "CREATE TABLE " + TABLE + " (id INT PRIMARY KEY, a INT)");
            first.execute("ALTER TABLE " + TABLE + " ADD COLUMN early INT DEFAULT 1", insert("1, 1, 1"));
            second.execute("ALTER TABLE " + TABLE + " ADD COLUMN late INT DEFAULT 2", insert("11, 1, 1"));
            second.execute("ALTER TABLE " + TABLE + " ADD UNIQUE KEY u (id, a)");
            first.execute(insert("2, 1, 1"));
            cluster.awaitReplicated();
            standby.awaitGtids(first.gtidExecuted(), DdlCluster.LIMIT);

            first.kill9();
            standby.stop();
            standby.server().execute("RESET REPLICA ALL", "SET GLOBAL read_only = OFF");
            MysqlServer other = standby.server();
            other.execute(insert("3, 1, 1"), "ALTER TABLE " + TABLE + " ADD COLUMN late INT DEFAULT 2");
            other.execute(insert("4, 1, 1, 9"), "ALTER TABLE " + TABLE + " ADD UNIQUE KEY u (id, a)");
            second.execute(insert("12, 1, 1"), "ALTER TABLE " + TABLE + " ADD COLUMN early INT DEFAULT 1");
            second.execute("UPDATE " + TABLE + " SET early = 7 WHERE id = 11");
            GtidSet executed = GtidSet.parse(other.gtidExecuted());
            cluster.until(
                    () -> "the node to read " + executed + " of the standby",
                    () -> GtidSet.parse(shards.node().fact("frontier.s1").orElse(""))
                            .containsAll(executed));
            cluster.awaitReplicated(List.of(second));

            cluster.awaitNothingListed();
            TableChecksum.compare(
                            TableChecksum.union(List.of(ordered(other), ordered(second)), List.of("d")),
                            TableChecksum.of(ordered(cluster.replica().server()), List.of("d")))
                    .assertClean();
            cluster.assertOnce("ADD COLUMN EARLY");
            cluster.assertOnce("ADD COLUMN LATE");
            cluster.assertOnce("ADD UNIQUE");
            assertEquals("Yes", cluster.replica().status().get("Replica_SQL_Running"));
        }
    }

    /** Moves a column, because the shards ran the changes in different orders: all servers then have the same order of columns. */
    private static MysqlServer ordered(MysqlServer server) throws Exception {
        server.execute("SET SESSION sql_log_bin = 0; ALTER TABLE " + TABLE + " MODIFY early INT AFTER a");
        return server;
    }

    private static String insert(String values) {
        return "INSERT INTO " + TABLE + " VALUES (" + values + ")";
    }
}
