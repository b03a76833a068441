package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.local.LocalCluster;
import io.tributary.testkit.compare.ConnectorReading;
import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.compare.TwinWorkload;
import io.tributary.testkit.server.MysqlServer;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lightest line of the compatibility matrix: mysql-binlog-connector-java reads the same from Tributary as from one real server that
 * got the same transactions. The others run in the profile {@code matrix}.
 */
class LightClientsIT {
    private static final long SEED = 20_262;
    private static final String FIRST = "binlog.000001";

    @Test
    void itReadsTheSameAsFromARealServer(@TempDir Path folder) throws Exception {
        try (MysqlServer twin = MysqlServer.start("twin");
                LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            LocalCluster.READER.create(twin, "REPLICATION SLAVE, REPLICATION CLIENT, SELECT ON *.*");
            cluster.node().start();
            new TwinWorkload(cluster.shards(), twin, SEED).run(100, () -> cluster.awaitAllWritten(Invariants.LIMIT));
            for (boolean byGtid : new boolean[] {true, false}) {
                Reading ours = new ConnectorReading(cluster.servePort(), LocalCluster.READER).read(byGtid, FIRST);
                Reading real = new ConnectorReading(twin.port(), LocalCluster.READER).read(byGtid, FIRST);
                assertEquals(Optional.empty(), ours.differenceTo(real), "by GTID: " + byGtid);
            }
        }
    }
}
