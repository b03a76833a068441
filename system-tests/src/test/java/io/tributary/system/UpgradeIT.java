package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of files of 0.1.0. The folder resources/upgrade has what commit 777378d wrote with three shards before it was killed: the definitions of a
 * schema and a table, local transactions, a distributed one, and in the last cut a distributed transaction that was committed on s2 and prepared on s3.
 */
class UpgradeIT {
    private static final List<String> FILES = List.of("auto.cnf", "binlog.000001", "binlog.index");
    private static final String UUID = "f1edf943-99cd-4554-a9a9-a249d5d33ba2";
    private static final int TRANSACTIONS = 16;
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

    private NodeProcess dumper() throws IOException {
        Path binlog = Files.createDirectories(folder.resolve("binlog"));
        for (String file : FILES) {
            Files.copy(golden(file), binlog.resolve(file));
        }
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
