package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.compare.ConnectorReading;
import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.compare.StatementsReading;
import io.tributary.testkit.compare.TwinWorkload;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the small clients of the compatibility matrix: mysql-binlog-connector-java reads the same from Tributary as from one real server that
 * executed the same transactions, and JDBC drivers get the same answers. The other clients run in the profile {@code matrix}.
 */
class LightClientsIT {
    private static final long SEED = 20_262;
    private static final String FIRST = "binlog.000001";

    @Test
    void clientsReadTheSameAsFromARealServer(@TempDir Path folder) throws Exception {
        try (MysqlServer twin = MysqlServer.start("twin");
                LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            for (MysqlServer shard : cluster.shards()) { // queries about tables are sent to a shard
                shard.execute("SET sql_log_bin = 0", "GRANT SELECT ON *.* TO 'tributary'@'%'");
            }
            LocalCluster.READER.create(twin, "REPLICATION SLAVE, REPLICATION CLIENT, SELECT ON *.*");
            cluster.node().start();
            new TwinWorkload(cluster.shards(), twin, SEED).run(100, () -> cluster.awaitAllWritten(Invariants.LIMIT));
            for (boolean byGtid : new boolean[] {true, false}) {
                Reading own = new ConnectorReading(cluster.servePort(), LocalCluster.READER).read(byGtid, FIRST);
                Reading real = new ConnectorReading(twin.port(), LocalCluster.READER).read(byGtid, FIRST);
                assertEquals(Optional.empty(), own.differenceTo(real), "by GTID: " + byGtid);
                assertTrue(own.has(TwinWorkload.DONE));
            }
            for (String driver : List.of("mysql", "mariadb")) {
                Reading own = StatementsReading.of(connect(driver, cluster.servePort()));
                Reading real = StatementsReading.of(connect(driver, twin.port()));
                assertEquals(Optional.empty(), own.differenceTo(real), driver);
            }
        }
    }

    private static Connection connect(String driver, int port) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:" + driver + "://127.0.0.1:" + port + "/?allowPublicKeyRetrieval=true",
                LocalCluster.READER.name(),
                LocalCluster.READER.password());
    }
}
