package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.proxy.Direction;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.workload.OddTransactions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of wrong configurations and unfit shards: one log line names the shard, what was expected, what was found and what to do; nothing is lost.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
    private LocalCluster cluster;
    private OddTransactions odd;
    private int inserted;

    @BeforeAll
    void startShards(@TempDir Path folder) throws SQLException {
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.withoutTls().set("shard.s1.start", "latest").set("shard.s2.start", "latest"));
        odd = new OddTransactions(cluster.shards());
        odd.prepare();
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aWrongPassword() {
        NodeProcess node = cluster.newNode("password", config -> config.set("shard.s2.password", "wrong"));
        assertRefused(
                node,
                "SHARD_LOGIN_REFUSED",
                "shard s2",
                "expected a login as tributary at 127.0.0.1:" + second().port(),
                "ALTER USER");
    }

    @Test
    void aShardThatAnswersLater() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(Ports.free())) {
            NodeProcess node = cluster.newNode(
                            "silent", config -> config.set("shard.s2.port", Integer.toString(proxy.port())))
                    .launch();
            Await.until(
                    () -> "the node to say so: " + node.lastLines(),
                    Invariants.LIMIT,
                    () -> node.lastLines().contains("SHARD_UNREACHABLE")
                            && node.ask("/status").isPresent());
            assertLogged(node, "shard s2", "127.0.0.1:" + proxy.port(), "retry.in.ms=", "Check host, port and network");
            assertTrue(!node.isHealthy() && node.ask("/status").orElse("").contains("SHARD_UNREACHABLE"));
            proxy.retarget(second().port());
            node.awaitHealthy();
            insert(second());
            cluster.awaitAllWritten(node, Invariants.LIMIT);
            node.close();
        }
    }

    @Test
    void aStatementInPlaceOfRows() throws Exception {
        NodeProcess node = cluster.newNode("statement", config -> config).start();
        insert(first());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        int before = written(node).size();
        odd.statementFormat(0);
        awaitHeld(node, "s1: STATEMENT_FORMAT at binlog.");
        assertLogged(node, "STATEMENT_FORMAT", "shard=s1", "binlog.", first().uuid(), "tributary shard skip s1 --gtid");
        assertEquals(before, written(node).size());
        assertTrue(node.isHealthy());
        node.close();
    }

    @Test
    void rowsWithoutAllColumns() throws Exception {
        NodeProcess node = cluster.newNode("minimal", config -> config).start();
        odd.minimalRowImage(1);
        awaitHeld(node, "s2: SHARD_UNFIT at binlog.");
        assertLogged(node, "shard=s2", "binlog_row_image", "binlog.", second().uuid());
        node.close();
    }

    private static void awaitHeld(NodeProcess node, String expected) {
        Await.until(
                () -> "a held shard in: " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.fact("ddl.held").orElse("").startsWith(expected));
    }

    @Test
    void binlogsThatWerePurgedOnTheShard() throws Exception {
        NodeProcess node = cluster.newNode("purged", config -> config).start();
        insert(first());
        cluster.awaitAllWritten(node, Invariants.LIMIT);
        node.terminate();
        int before = written(node).size();
        insert(first());
        first().execute("FLUSH BINARY LOGS");
        List<Path> files = first().binlogFiles();
        first().execute("PURGE BINARY LOGS TO '" + files.get(files.size() - 1).getFileName() + "'");
        assertRefused(node, "SHARD_POSITION_PURGED", "shard s1", first().uuid() + ":", "Restore the purged binlogs");
        assertEquals(before, written(node).size());
    }

    @Test
    void aWrongChecksum() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(first().port())) {
            NodeProcess node = cluster.newNode(
                            "flipped", config -> config.set("shard.s1.port", Integer.toString(proxy.port())))
                    .start();
            proxy.flipAfter(Direction.TO_CLIENT, 2 << 20);
            odd.hugeRow(0, 4);
            Await.until(
                    () -> "the node to say so: " + node.lastLines(),
                    Invariants.LIMIT,
                    () -> node.logText().contains("EVENT_CHECKSUM_WRONG"));
            assertLogged(node, "s1", "binlog.", "retry.in.ms=");
            cluster.awaitAllWritten(node, Invariants.LIMIT);
            assertEquals(1, written(node).size());
            node.close();
        }
    }

    @Test
    void aMisspeltKey() {
        NodeProcess node = cluster.newNode(
                "misspelt", config -> config.set("serve.pasword", "x").set("binlog.file.size", "much"));
        assertRefused(node, "CONFIG_INVALID", "serve.pasword", "serve.password", "binlog.file.size", "much");
    }

    @Test
    void aFolderThatCannotBeWritten() throws Exception {
        Path file = Files.createFile(cluster.folder().resolve("no-folder"));
        NodeProcess node = cluster.newNode(
                "folder",
                config -> config.set("binlog.directory", file.resolve("binlog").toString()));
        assertRefused(node, "DIRECTORY_UNUSABLE", "no-folder", "Create it, give the node's user the rights");
    }

    @Test
    void aSecondNodeInTheSameFolder() {
        NodeProcess one = cluster.newNode("one", config -> config).start();
        NodeProcess two = cluster.newNode(
                "two", config -> config.set("binlog.directory", one.config().get("binlog.directory")));
        assertRefused(two, "DIRECTORY_IN_USE", one.config().get("binlog.directory"), "Stop the other node");
        assertTrue(one.isHealthy());
        one.close();
    }

    @Test
    void twoNamesForOneServer() {
        NodeProcess node = cluster.newNode("same", config -> config.set("shard.s2.port", config.get("shard.s1.port")));
        assertRefused(node, "SHARD_SAME_SERVER", "shard s2", "also shard s1", "shard.s2.port");
    }

    @Test
    void aFullDisk() throws Exception {
        Path disk = Files.createDirectory(cluster.folder().resolve("disk"));
        assumeTrue(mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()), "only root may mount a tmpfs");
        try {
            NodeProcess node = cluster.newNode(
                            "full",
                            config -> config.set(
                                    "binlog.directory", disk.resolve("binlog").toString()))
                    .start();
            insert(first());
            odd.huge(0, 1);
            odd.huge(1, 3);
            assertEquals(1, node.awaitEnd());
            assertLogged(node, "DISK_FULL", disk.toString(), "Free space");
            assertTrue(mount("-o", "remount,size=64m", disk.toString()));
            node.start();
            insert(second());
            cluster.awaitAllWritten(node, Invariants.LIMIT);
            assertEquals(4, written(node).size());
            node.close();
        } finally {
            MysqlTools.run(List.of("umount", "-l", disk.toString()));
        }
    }

    @Test
    void settingsOfAShardWithTheStatementsThatCorrectThem() throws Exception {
        MysqlOptions unfit = MysqlOptions.named("unfit")
                .with("--binlog-format=MIXED", "--binlog-row-image=MINIMAL")
                .with("--gtid-mode=OFF", "--enforce-gtid-consistency=OFF");
        try (MysqlServer server = MysqlServer.start(unfit)) {
            new MysqlUser("poor", "poor-secret", MysqlUser.CACHING_SHA2).create(server);
            NodeProcess node = cluster.newNode(
                    "unfit",
                    config -> config.set("shard.s2.port", Integer.toString(server.port()))
                            .set("shard.s2.user", "poor")
                            .set("shard.s2.password", "poor-secret"));
            String[] statements = {
                "SET PERSIST binlog_format",
                "SET PERSIST binlog_row_image",
                "gtid_mode",
                "GRANT REPLICATION SLAVE",
                "shard s2"
            };
            MysqlTools.Outcome check = tributary("check", node);
            assertEquals(1, check.status(), check.output());
            for (String statement : statements) {
                assertTrue(check.output().contains(statement), statement + " in: " + check.output());
            }
            assertRefused(node, statements);
        }
        NodeProcess fit = cluster.newNode("fit", config -> config.set("server.id", "4713"));
        MysqlTools.Outcome check = tributary("check", fit);
        assertEquals(0, check.status(), check.output());
    }

    private static MysqlTools.Outcome tributary(String command, NodeProcess node) {
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        return MysqlTools.run(List.of(
                program, command, "-c", node.config().write(node.configFile()).toString()));
    }

    private static boolean mount(String... arguments) {
        List<String> command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(arguments));
        return MysqlTools.run(command).status() == 0;
    }

    private static void assertRefused(NodeProcess node, String... parts) {
        assertEndsWithMessage(node.launch(), parts);
    }

    static void assertEndsWithMessage(NodeProcess node, String... parts) {
        assertEquals(1, node.awaitEnd(), node.lastLines());
        assertLogged(node, parts);
    }

    /** Waits until one line of its log contains all these parts. */
    static void awaitLogged(NodeProcess node, String... parts) {
        Await.until(
                () -> "a log line with " + List.of(parts) + ": " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.logText()
                        .lines()
                        .anyMatch(line -> List.of(parts).stream().allMatch(line::contains)));
    }

    private static void assertLogged(NodeProcess node, String... parts) {
        String log = node.lastLines();
        Optional<String> missing =
                List.of(parts).stream().filter(part -> !log.contains(part)).findFirst();
        assertTrue(missing.isEmpty(), () -> missing.orElse("") + " in: " + log);
        assertTrue(!log.contains("\tat "), () -> "no stack trace in: " + log);
    }

    private void insert(MysqlServer shard) throws SQLException {
        shard.execute("INSERT INTO odd.body VALUES (" + --inserted + ", 'plain')");
    }

    private static List<BinlogTransaction> written(NodeProcess node) throws Exception {
        return BinlogReader.ofFolder(Path.of(node.config().get("binlog.directory")))
                .all();
    }

    private MysqlServer first() {
        return cluster.shards().get(0);
    }

    private MysqlServer second() {
        return cluster.shards().get(1);
    }
}
