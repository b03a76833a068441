package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction of 5 GiB, so that the positions in its events wrap at 4 GiB on the shard and in the output, and the readers that pass it: a
 * follower, a replica, mysqlbinlog and an applier. It needs 45 GiB of disk and runs only with {@code -Dtributary.large=true}.
 */
@EnabledIfSystemProperty(named = "tributary.large", matches = "true")
class LargeTransactionIT {
    private static final Duration LIMIT = Duration.ofMinutes(40);
    private static final int MEBIBYTES = Integer.getInteger("mebibytes", 5120);
    private static final int MEBIBYTES_OF_A_ROW = 4;
    private static final String SUMS = "SELECT COUNT(*), SUM(CRC32(body)), SUM(LENGTH(body)) FROM odd.body";

    /** Fewer writes: nothing here is killed. */
    private static final String[] FAST = {
        "--innodb-doublewrite=OFF",
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-redo-log-capacity=512M",
        "--innodb-buffer-pool-size=512M",
        "--max-allowed-packet=1G"
    };

    @TempDir
    private Path folder;

    @Test
    void aTransactionOf5GibibytesIsReadByEachKindOfReader() throws Exception {
        String leader = "127.0.0.1:" + Ports.free();
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1").with(FAST)),
                config -> config.withoutTls()
                        .set("dumper.listen", leader)
                        .set("dumper.followers", "1")
                        .set("dumper.member", "first"))) {
            MysqlServer shard = cluster.shards().get(0);
            NodeProcess node = cluster.node();
            NodeProcess follower = follower(cluster, leader);
            node.launch();
            follower.launch();
            node.awaitHealthy();
            MysqlReplica replica = cluster.attachByGtid(cluster.newReplica(
                    MysqlReplica.options("replica", 4).with(FAST).with("--skip-log-bin", "--log-replica-updates=OFF")));
            shard.execute(
                    "CREATE DATABASE odd",
                    "CREATE TABLE odd.body (id BIGINT PRIMARY KEY, body LONGBLOB)",
                    "INSERT INTO odd.body VALUES (-1, 'before')");
            report("writes");
            shard.execute(
                    "SET cte_max_recursion_depth = 1000000",
                    "INSERT INTO odd.body WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < "
                            + MEBIBYTES / MEBIBYTES_OF_A_ROW + ") SELECT i, REPEAT(RANDOM_BYTES(1024), "
                            + MEBIBYTES_OF_A_ROW * 1024 + ") FROM n",
                    "INSERT INTO odd.body VALUES (-2, 'after')");
            report("written to the shard");
            cluster.awaitAllWritten(LIMIT);
            report("in the output");
            String expected = shard.text(SUMS);
            assertAlone(cluster);

            replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
            report("on the replica");
            assertEquals(expected, replica.server().text(SUMS));
            assertReplicaContinues(cluster, replica);
            replica.server().close();

            assertReadByGtid(cluster);
            assertFollows(cluster, follower);
            assertApplied(cluster, expected);
        }
    }

    /** The file has one transaction, so that no other one begins after 4 GiB. */
    private static void assertAlone(LocalCluster cluster) throws Exception {
        List<Path> files = RemoteReader.files(cluster.binlogFolder());
        Path largest = null;
        for (Path file : files) {
            largest = largest == null || Files.size(file) > Files.size(largest) ? file : largest;
        }
        assertTrue(Files.size(largest) > (long) MEBIBYTES << 20, largest + " has " + Files.size(largest));
        String before = cluster.node().logText();
        System.out.println(files + "\n"
                + before.lines().filter(line -> line.contains("4 GiB")).toList());
        assertEquals(3, files.size(), "one file before it and one after it: " + files);
    }

    private static void assertReplicaContinues(LocalCluster cluster, MysqlReplica replica) throws Exception {
        replica.stop();
        replica.start();
        cluster.shards().get(0).execute("INSERT INTO odd.body VALUES (-3, 'after the restart')");
        cluster.awaitAllWritten(LIMIT);
        replica.awaitGtids(cluster.gtidExecuted(), LIMIT);
        assertEquals("after the restart", replica.server().text("SELECT body FROM odd.body WHERE id = -3"));
        cluster.shards().get(0).execute("DELETE FROM odd.body WHERE id = -3");
        cluster.awaitAllWritten(LIMIT);
    }

    private void assertReadByGtid(LocalCluster cluster) throws Exception {
        Path copies = folder.resolve("copies");
        MysqlTools.Outcome read = RemoteReader.readByGtid(
                cluster, copies, "--exclude-gtids=00000000-0000-0000-0000-00000000000f:1", "binlog.000001");
        assertEquals(0, read.status(), read.output());
        report("read by mysqlbinlog");
        assertEquals(
                RemoteReader.files(cluster.binlogFolder()).size(),
                RemoteReader.files(copies).size());
        for (Path copied : RemoteReader.files(copies)) {
            Path original = cluster.binlogFolder().resolve(copied.getFileName());
            long mismatch = Files.mismatch(original, copied);
            assertTrue(mismatch < 0 || mismatch >= Files.size(copied), copied + " differs at " + mismatch);
        }
        Folders.delete(copies);
    }

    private static NodeProcess follower(LocalCluster cluster, String leader) {
        return cluster.newNode(
                "second",
                config -> config.set("node.role", "dumper")
                        .set("dumper.member", "second")
                        .remove("dumper.followers")
                        .set("dumper.leader", leader)
                        .set("dumper.listen", "127.0.0.1:" + Ports.free())
                        .set("dumper.read", "any"));
    }

    private static void assertFollows(LocalCluster cluster, NodeProcess follower) throws Exception {
        Await.until(
                () -> "the follower to have all; " + cluster.lastLines(),
                LIMIT,
                () -> cluster.gtidExecuted()
                        .equals(follower.fact("gtid.executed").orElse("")));
        Path copies = Path.of(follower.config().get("binlog.directory"));
        assertTrue(follower.terminate(), "it ends on SIGTERM");
        for (Path copy : RemoteReader.files(copies)) {
            long mismatch = Files.mismatch(copy, cluster.binlogFolder().resolve(copy.getFileName()));
            assertTrue(mismatch < 0 || mismatch >= Files.size(copy), copy + " differs at " + mismatch);
        }
        report("at the follower");
        Folders.delete(copies);
    }

    private void assertApplied(LocalCluster cluster, String expected) throws Exception {
        try (MysqlServer target = MysqlServer.start(MysqlOptions.named("target")
                .in(folder.resolve("target"))
                .with(FAST)
                .with("--skip-log-bin", "--log-replica-updates=OFF"))) {
            NodeProcess applier = cluster.newNode(
                            "applier",
                            config -> config.set("node.role", "apply")
                                    .set("admin.listen", "127.0.0.1:" + Ports.free())
                                    .set("apply.nodes", "127.0.0.1:" + cluster.servePort())
                                    .set("apply.user", LocalCluster.READER.name())
                                    .set("apply.password", LocalCluster.READER.password())
                                    .set("apply.target", "127.0.0.1:" + target.port())
                                    .set("apply.target.user", MysqlServer.ROOT)
                                    .set("apply.target.password", MysqlServer.ROOT_PASSWORD))
                    .launch();
            Await.until(
                    () -> "the applier to apply all; " + applier.facts() + "; " + applier.lastLines(),
                    LIMIT,
                    () -> "0".equals(applier.facts().get("apply.lag.transactions"))
                            && expected.equals(target.text(SUMS)));
            report("applied");
        }
    }

    private static void report(String what) {
        System.out.println(LocalTime.now() + " " + what);
    }
}
