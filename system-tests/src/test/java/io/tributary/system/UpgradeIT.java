package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of files of 0.1.0. The folder resources/upgrade has what commit 777378d wrote with three shards before it was killed: the definitions of a
 * schema and a table, local transactions, a distributed one, and in the last cut a distributed transaction that was committed on s2 and prepared on s3.
 * Its folder cluster has what a cluster of three Dumpers and ZooKeeper had after all nodes were killed.
 */
class UpgradeIT {
    private static final List<String> FILES = List.of("auto.cnf", "binlog.000001", "binlog.index");
    private static final String UUID = "f1edf943-99cd-4554-a9a9-a249d5d33ba2";
    private static final int TRANSACTIONS = 16;
    private static final String CLUSTER_UUID = "5a8b7435-0d6f-41ce-a11f-6e1c72824c6b";
    private static final int CLUSTER_TRANSACTIONS = 32;
    private static final String ZNODES = "/tributary/tributary/";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final int port = Ports.free();

    @TempDir
    private Path folder;

    @Test
    void theLastCutOf010IsRead() throws IOException {
        NodeProcess node = dumper();
        node.config().write(node.configFile());
        MysqlTools.Outcome status = MysqlTools.run(List.of(
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "status",
                "--offline",
                "-c",
                node.configFile().toString()));
        assertEquals(0, status.status(), status.output());
        assertTrue(status.output().contains("server_uuid: " + UUID), status.output());
        assertTrue(status.output().contains("cut: 37 of epoch 6"), status.output());
        assertTrue(
                status.output().contains("frontier.s3: 8d6bfb7e-ead2-11f1-884a-02fc00000001:1-1783"), status.output());
        assertTrue(status.output().contains("position.s3: binlog.000002:651851"), status.output());
    }

    /** A Dumper without a Task serves what it has, and writes nothing. */
    @Test
    void theTransactionsOf010AreServed() throws IOException {
        try (NodeProcess node = dumper()) {
            node.launch();
            MysqlTools tools = MysqlTools.cached();
            List<String> command = tools.remoteBinlog(
                    port,
                    LocalCluster.READER.name(),
                    LocalCluster.READER.password(),
                    "--base64-output=decode-rows",
                    "--verbose",
                    "binlog.000001");
            String[] read = {""};
            Await.until(() -> "the Dumper to serve the file; its last lines:\n" + node.lastLines(), LIMIT, () -> {
                MysqlTools.Outcome outcome = MysqlTools.run(command);
                read[0] = outcome.output();
                return outcome.status() == 0;
            });
            assertEquals(
                    TRANSACTIONS,
                    read[0].lines()
                            .filter(line -> line.contains("GTID_NEXT= '" + UUID))
                            .count(),
                    read[0]);
            assertTrue(read[0].contains("@2='distributed'") && !read[0].contains("@2='in doubt'"), read[0]);
            assertEquals(-1, Files.mismatch(folder.resolve("binlog/binlog.000001"), golden("binlog.000001")));
        }
    }

    @Test
    void aClusterOf010ElectsALeaderByWhatIsInZooKeeperAndInItsFiles() throws Exception {
        SortedMap<String, String> znodes = new TreeMap<>();
        for (String line : Files.readAllLines(golden("cluster/znodes.txt"))) {
            String[] parts = line.split("\t", -1);
            znodes.put(parts[0], parts[1].replace("\\n", "\n"));
        }
        String voters = znodes.keySet().stream()
                .filter(path -> znodes.get(path).startsWith("copies="))
                .findFirst()
                .orElseThrow();
        ClusterNodes nodes =
                new ClusterNodes(folder, List.of(MysqlOptions.named("unused")), 0, 3, NodeConfig::withoutTls);
        try (LocalCluster cluster = nodes.cluster()) {
            for (NodeProcess dumper : nodes.dumpers()) {
                Path binlog = copy("cluster/", Path.of(dumper.config().get("binlog.directory")));
                Matcher copy = Pattern.compile("(\\S+) " + ClusterNodes.name(dumper) + "\n")
                        .matcher(znodes.get(voters));
                assertTrue(copy.find());
                Files.writeString(binlog.resolve("copy.id"), copy.group(1).replaceAll(".*=", "") + "\n");
            }
            nodes.zookeeper().launch().awaitServing().create(znodes);
            nodes.dumpers().forEach(NodeProcess::launch);
            Await.until(
                    () -> "a leader whose files the others acknowledge; " + cluster.lastLines(),
                    LIMIT,
                    () -> nodes.leader(1)
                            .filter(leader -> ClusterNodes.transactions(leader) > 0)
                            .isPresent());
            NodeProcess leader = nodes.leader(1).orElseThrow();
            assertEquals(
                    CLUSTER_UUID + ":1-" + CLUSTER_TRANSACTIONS,
                    leader.fact("gtid.executed").orElseThrow());
            assertEquals(znodes.get(ZNODES + "identity"), nodes.zookeeper().data(ZNODES + "identity"));
            assertTrue(
                    nodes.zookeeper().data(ZNODES + "epoch").startsWith("epoch=" + ClusterNodes.epoch(leader) + "\n"));
            for (NodeProcess dumper : nodes.dumpers()) {
                assertTrue(nodes.zookeeper().data(voters).contains(" " + ClusterNodes.name(dumper) + "\n"));
            }
        }
    }

    private static Path copy(String from, Path binlog) throws IOException {
        Files.createDirectories(binlog);
        for (String file : FILES) {
            Files.copy(golden(from + file), binlog.resolve(file));
        }
        return binlog;
    }

    private NodeProcess dumper() throws IOException {
        Path binlog = copy("", folder.resolve("binlog"));
        NodeConfig config = new NodeConfig()
                .set("node.role", "dumper")
                .set("server.id", "4712")
                .set("binlog.directory", binlog.toString())
                .set("serve.listen", "127.0.0.1:" + port)
                .set("serve.user", LocalCluster.READER.name())
                .set("serve.password", LocalCluster.READER.password())
                .set("admin.listen", "127.0.0.1:" + Ports.free())
                .set("transmit.task", "127.0.0.1:" + Ports.free());
        return new NodeProcess(
                NodeProcess.projectHome(), folder.resolve("dumper.properties"), config, folder.resolve("dumper.log"));
    }

    private static Path golden(String file) {
        return NodeProcess.projectHome()
                .resolve("system-tests/src/test/resources/upgrade")
                .resolve(file);
    }
}
