package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code tributary check} for a node that runs, and for one that is stopped. */
class CheckIT {
    private static MysqlTools.Outcome check(NodeProcess node) {
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        return MysqlTools.run(List.of(program, "check", "-c", node.configFile().toString()));
    }

    @Test
    void forARunningNodeItChangesNothingAndReportsThatItRuns(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            NodeProcess node = cluster.node().start();
            cluster.shards().get(0).execute("CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            MysqlTools.Outcome running = check(node);
            assertEquals(0, running.status(), running::output);
            assertTrue(running.output().contains("fit to start again; a node runs here"), running::output);

            cluster.shards().get(0).execute("SET GLOBAL binlog_format = STATEMENT");
            MysqlTools.Outcome statement = check(node);
            cluster.shards().get(0).execute("SET GLOBAL binlog_format = ROW");
            assertTrue(statement.output().contains("SET PERSIST binlog_format = ROW"), statement::output);
            cluster.shards().get(0).execute("INSERT INTO shop.t VALUES (1)");
            cluster.shards().get(1).execute("CREATE DATABASE other");
            cluster.awaitAllWritten(Invariants.LIMIT);
            assertTrue(node.isHealthy(), node::lastLines);
            assertTrue(
                    !node.fact("ddl.held").isPresent() && !node.logText().contains("STATEMENT_FORMAT"),
                    node::lastLines);
        }
    }

    @Test
    void forAStoppedNodeItReadsTheLastCut(@TempDir Path folder) throws Exception {
        try (LocalCluster cluster = LocalCluster.withShards(folder, 2)) {
            NodeProcess node = cluster.node().start();
            MysqlServer shard = cluster.shards().get(0);
            shard.execute("CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            assertTrue(node.terminate());
            MysqlTools.Outcome stopped = check(node);
            assertEquals(0, stopped.status(), stopped::output);
            assertTrue(stopped.output().contains("fit to start\n"), stopped::output);

            shard.execute("INSERT INTO shop.t VALUES (1)", "FLUSH BINARY LOGS");
            String newest = shard.text("SHOW MASTER STATUS");
            shard.execute("PURGE BINARY LOGS TO '" + newest + "'");
            MysqlTools.Outcome purged = check(node);
            assertEquals(1, purged.status(), purged::output);
            assertTrue(purged.output().contains("gtid_purged: expected the binlogs after "), purged::output);
            assertTrue(purged.output().contains("1 problem\n"), purged::output);
        }
    }
}
