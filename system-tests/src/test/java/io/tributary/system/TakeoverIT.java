package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of two nodes with separate folders on the same shards. */
class TakeoverIT {
    @Test
    void aSecondNodeIsRefusedWhileTheFirstRunsUnlessItTakesOver(@TempDir Path folder) throws Exception {
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

            MysqlTools.Outcome check = run(refused, "check");
            assertEquals(1, check.status(), check::output);
            assertTrue(check.output().contains("shard s1: rounds: expected no other node"), check::output);
            assertTrue(check.output().contains("shard s2: rounds: expected no other node"), check::output);

            first.kill9();
            first.start();
            cluster.shards().get(0).execute("INSERT INTO shop.t VALUES (2)");
            cluster.awaitAllWritten(Invariants.LIMIT);

            NodeProcess second =
                    cluster.newNode("second", config -> config, "--takeover").start();
            assertEquals(1, first.awaitEnd(), first::lastLines);
            assertTrue(first.logText().contains("ROUNDS_SUPERSEDED"), first::lastLines);
            cluster.awaitAllWritten(second, Invariants.LIMIT);
            second.close();
        }
    }

    @Test
    void aShardIsNotAddedWhileAnotherNodeWritesRoundsToIt(@TempDir Path folder) throws Exception {
        List<MysqlOptions> servers =
                Stream.of("s1", "s2", "s3").map(MysqlOptions::named).toList();
        try (LocalCluster cluster = LocalCluster.withShards(folder, servers, config -> without(config, "s3"))) {
            NodeProcess first = cluster.node().start();
            MysqlServer third = cluster.shards().get(2);
            NodeProcess other = cluster.newNode(
                            "other",
                            config -> without(without(config, "s1"), "s2")
                                    .shard(third, third.port(), MysqlUser.tributary()))
                    .start();
            cluster.config().shard(third, third.port(), MysqlUser.tributary()).write(first.configFile());
            MysqlTools.Outcome refused = run(first, "shard", "add", "s3");
            assertEquals(1, refused.status(), refused::output);
            assertTrue(refused.output().contains("SHARDS_IN_USE"), refused::output);
            cluster.shards().get(0).execute("CREATE DATABASE shop");
            cluster.shards().get(2).execute("CREATE DATABASE stock");
            cluster.awaitAllWritten(first, cluster.shards().subList(0, 2), Invariants.LIMIT);
            cluster.awaitAllWritten(other, cluster.shards().subList(2, 3), Invariants.LIMIT);

            assertTrue(other.terminate());
            MysqlTools.Outcome added = run(first, "shard", "add", "s3");
            assertEquals(0, added.status(), added::output);
        }
    }

    private static NodeConfig without(NodeConfig config, String shard) {
        for (String key : List.of("host", "port", "user", "password", "tls")) {
            config.remove("shard." + shard + "." + key);
        }
        return config;
    }

    private static MysqlTools.Outcome run(NodeProcess node, String... command) {
        List<String> words = new ArrayList<>(
                List.of(NodeProcess.projectHome().resolve("bin/tributary").toString()));
        words.addAll(List.of(command));
        words.addAll(List.of("-c", node.configFile().toString()));
        return MysqlTools.run(words);
    }
}
