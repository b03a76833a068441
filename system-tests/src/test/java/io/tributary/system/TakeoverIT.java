package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with folders of their own on the same shards. */
class TakeoverIT {
    @Test
    void aSecondNodeIsRefusedWhileTheFirstLivesUnlessItIsToTakeOver(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            NodeProcess first = cluster.node().start();
            cluster.shards().get(0).execute("CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)");
            cluster.awaitAllWritten(Invariants.LIMIT);

            NodeProcess refused = cluster.newNode("refused", config -> config).launch();
            assertEquals(1, refused.awaitEnd(), refused::lastLines);
            assertTrue(refused.logText().contains("SHARDS_IN_USE"), refused::lastLines);
            cluster.shards().get(0).execute("INSERT INTO shop.t VALUES (1)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            assertTrue(first.isHealthy(), first::lastLines);

            first.kill9();
            first.start();
            cluster.shards().get(0).execute("INSERT INTO shop.t VALUES (2)");
            cluster.awaitAllWritten(Invariants.LIMIT);

            NodeProcess second =
                    cluster.newNode("second", config -> config, "--takeover").start();
            assertEquals(1, first.awaitEnd(), first::lastLines);
            assertTrue(first.logText().contains("ROUNDS_DEPOSED"), first::lastLines);
            cluster.awaitAllWritten(second, Invariants.LIMIT);
            second.close();
        }
    }
}
