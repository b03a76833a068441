package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.MixedWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code tributary log}: what it shows of rows of all types, and that its statements undo a load. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LogIT {
    private static final List<String> SCHEMAS = List.of(MixedWorkload.SCHEMA, "shop");

    private LocalCluster cluster;
    private CommandRun commands;
    private Path folder;
    private MysqlReplica replica;
    private Map<String, TableChecksum> before;
    private Path secret;
    private String all; // changes, as JSON
    private String undo;
    private Sid sid;
    private long first;
    private long last;

    @BeforeAll
    void runALoad(@TempDir Path temporary) throws Exception {
        folder = temporary;
        Path backup = Files.createDirectories(folder.resolve("backup"));
        secret = Files.writeString(folder.resolve("secret"), LocalCluster.READER.password());
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("binlog.file.size", "2MiB").set("backup.directory", backup.toString()));
        commands = new CommandRun(cluster.node(), folder);
        cluster.node().start();
        replica = cluster.attachByGtid(cluster.newReplica("copy", 4));
        MixedWorkload mixed = new MixedWorkload(cluster.shards(), 18, 24, 4, false);
        mixed.prepare();
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(
                    "CREATE DATABASE shop",
                    "CREATE TABLE shop.t (id INT PRIMARY KEY, name VARCHAR(20), price DECIMAL(8,2),"
                            + " twice DECIMAL(9,2) AS (price * 2), changed TIMESTAMP(3) NULL ON UPDATE CURRENT_TIMESTAMP(3))",
                    "CREATE TABLE shop.keyless (name VARCHAR(20), weight FLOAT, data VARBINARY(9))");
        }
        cluster.shards()
                .get(0)
                .execute(
                        "INSERT INTO shop.keyless VALUES ('a', 1.1, X'00'), ('A', 1.1, X'00'), ('a', 1.1, X'00'), (NULL, 2.5, NULL)");
        mixed.run(600);
        first = executed() + 1;
        replica.awaitGtids(cluster.gtidExecuted(), Duration.ofSeconds(60));
        before = TableChecksum.of(replica.server(), SCHEMAS);
        mixed.run(1200);
        cluster.shards()
                .get(0)
                .execute(
                        "INSERT INTO shop.t (id, name, price) VALUES (17, 'it''s\\na \\\\ name', 1.50)",
                        "UPDATE shop.t SET price = 2.25 WHERE id = 17",
                        "INSERT INTO shop.keyless VALUES ('a', 1.1, X'00'), ('b', 7, X'FF00')",
                        "UPDATE shop.keyless SET weight = 3.3 WHERE BINARY name = 'A'",
                        "DELETE FROM shop.keyless WHERE weight = 2.5",
                        "DELETE FROM shop.t WHERE id = 17");
        last = executed();
        replica.awaitGtids(cluster.gtidExecuted(), Duration.ofSeconds(60));
    }

    private long executed() throws Exception {
        cluster.awaitAllWritten(Invariants.LIMIT);
        GtidSet executed = GtidSet.parse(cluster.gtidExecuted());
        sid = executed.sids().get(0);
        return executed.last(sid);
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void theChangesOfARowAreShownWithTheirValues() throws Exception {
        CommandRun.Printed text = commands.run("log", "--table", "shop.t", "--key", "17");
        assertEquals(0, text.status(), text.err());
        assertTrue(
                text.out()
                        .contains(
                                "INSERT shop.t  id=17, name='it''s\\na \\\\ name', price=1.50, twice=3.00, changed=NULL"),
                text.out());
        assertTrue(text.out().contains("UPDATE shop.t  id=17, price=1.50 -> 2.25, twice=3.00 -> 4.50"), text.out());
        assertTrue(text.out().contains("DELETE shop.t  id=17"), text.out());
        CommandRun.Printed json =
                commands.run("log", "--table", "shop.t", "--key", "17", "--json", "--shards", "-n", "2");
        List<String> lines = json.out().lines().toList();
        assertEquals(2, lines.size(), json.out() + json.err());
        assertTrue(json.err().contains("more than 2"), json.err());
        JsonNode update = new ObjectMapper().readTree(lines.get(1));
        assertEquals("UPDATE", update.get("op").asText());
        assertEquals(17, update.get("key").get("id").asInt());
        assertEquals("1.50", update.get("before").get("price").asText());
        assertEquals("s1", update.get("shards").get(0).asText());
    }

    @Test
    @Order(2)
    void onlySelectedTransactionsAreShown() throws Exception {
        CommandRun.Printed one = commands.run("log", "--gtid", sid + ":" + last);
        assertTrue(one.out().startsWith(sid + ":" + last + "  20"), one.out() + one.err());
        assertEquals(1, one.out().lines().filter(line -> !line.startsWith(" ")).count(), one.out());
        CommandRun.Printed none = commands.run("log", "--since", "2020-01-01", "--until", "2020-01-02");
        assertEquals("", none.out(), none.err());
        CommandRun.Printed other =
                commands.run("log", "--gtid", cluster.shards().get(0).uuid() + ":1");
        assertTrue(other.status() == 1 && other.err().contains("tributary origin"), other.err());
    }

    @Test
    @Order(3)
    void theStatementsOfAFlashbackUndoALoad() throws Exception {
        assertNotEquals(before, TableChecksum.of(replica.server(), SCHEMAS));
        CommandRun.Printed printed = commands.run("log", "--flashback", "--gtid", sid + ":" + first + "-" + last);
        assertEquals(0, printed.status(), printed.err());
        undo = printed.out();
        Path file = Files.writeString(folder.resolve("undo.sql"), undo);
        replica.stop();
        MysqlTools.Outcome loaded = MysqlTools.cached().load(replica.server(), file);
        assertEquals(0, loaded.status(), loaded.output());
        assertEquals(before, TableChecksum.of(replica.server(), SCHEMAS));
    }

    @Test
    @Order(4)
    void aFlashbackOfASchemaChangeIsRefused() throws Exception {
        CommandRun.Printed refused = commands.run("log", "--flashback", "--gtid", sid + ":1-" + last);
        assertEquals(1, refused.status());
        assertEquals("", refused.out());
        assertTrue(refused.err().contains("CREATE"), refused.err());
        CommandRun.Printed open = commands.run("log", "--flashback");
        assertEquals(2, open.status(), open.err());
    }

    private List<String> served(String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("--source", "127.0.0.1:" + cluster.servePort()));
        command.addAll(List.of("--source-user", LocalCluster.READER.name(), "--source-password-file", secret + ""));
        return command;
    }

    private CommandRun.Printed run(List<String> arguments) throws Exception {
        return commands.run(arguments.toArray(String[]::new));
    }

    private static void assertSame(String expected, CommandRun.Printed found) {
        assertEquals(0, found.status(), found.err());
        List<String> one = expected.lines().toList();
        List<String> other = found.out().lines().toList();
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            assertEquals(one.get(i), other.get(i), "line " + i);
        }
        assertEquals(one.size(), other.size(), found.err());
    }

    @Test
    @Order(5)
    void theMysqlPortShowsTheSameAsTheFiles() throws Exception {
        CommandRun.Printed files = commands.run("log", "--json", "-n", "1000000");
        all = files.out();
        assertTrue(all.lines().count() > 1000, files.err());
        assertSame(all, run(served("log", "--json", "-n", "1000000")));
        CommandRun.Printed from = run(served("log", "--from", sid + ":" + (last - 2)));
        assertEquals(
                3,
                from.out()
                        .lines()
                        .filter(line -> line.startsWith(sid.toString()))
                        .count(),
                from.out());
        assertSame(undo, run(served("log", "--flashback", "--gtid", sid + ":" + first + "-" + last)));
        CommandRun.Printed other =
                run(served("log", "--gtid", cluster.shards().get(0).uuid() + ":1"));
        assertTrue(other.status() == 1 && other.err().contains("tributary origin"), other.err());
    }

    @Test
    @Order(6)
    void yamlHasTheSameRowsAsJson() throws Exception {
        CommandRun.Printed json = commands.run("log", "--table", "shop.t", "--key", "17", "-o", "json");
        CommandRun.Printed yaml = commands.run("log", "--table", "shop.t", "--key", "17", "-o", "yaml");
        List<JsonNode> rows = new ArrayList<>();
        for (String line : json.out().lines().toList()) {
            rows.add(new ObjectMapper().readTree(line));
        }
        assertTrue(rows.size() >= 3, json.out());
        List<String> items =
                yaml.out().lines().filter(line -> line.startsWith("- gtid: ")).toList();
        assertEquals(
                rows.stream().map(row -> "- gtid: " + row.get("gtid").asText()).toList(), items, yaml.err());
        assertTrue(yaml.out().contains("\n    price: '2.25'\n"), yaml.out());
    }

    @Test
    @Order(7)
    void aQueryOverAHundredGibibytesIsCancelled() throws Exception {
        Path large = folder.resolve("large");
        SparseBinlog binlog = new SparseBinlog(large, cluster.binlogFolder()).write(100);
        assertTrue(binlog.size() >= 100L << 30, "size: " + binlog.size());
        Path config = Files.writeString(folder.resolve("large.properties"), "binlog.directory=" + large + "\n");
        Path errors = folder.resolve("cancelled");
        ProcessBuilder command = new ProcessBuilder(
                "/usr/bin/env",
                "--default-signal=INT",
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "log",
                "--table",
                "shop.t",
                "--key",
                "4711",
                "-c",
                config.toString());
        command.environment().put("TRIBUTARY_JAVA_OPTS", "-Dtributary.errors.terminal=true");
        command.environment().put("TRIBUTARY_HEAP", "256m");
        command.redirectError(errors.toFile())
                .redirectOutput(folder.resolve("out").toFile());
        try (ChildProcess log = ChildProcess.start(command)) {
            Await.until(
                    "progress",
                    Duration.ofSeconds(30),
                    () -> Files.readString(errors).contains(" %"));
            String status = Files.readString(Path.of("/proc/" + log.pid() + "/status"));
            long peakKib = Long.parseLong(status.replaceAll("(?s).*VmHWM:\\s*(\\d+) kB.*", "$1"));
            assertTrue(peakKib < 512 << 10, status);
            assertEquals(
                    0, MysqlTools.run(List.of("kill", "-INT", "" + log.pid())).status());
            assertTrue(log.awaitExit(Duration.ofSeconds(2)), "not ended: " + Files.readString(errors));
            String said = Files.readString(errors);
            assertEquals(130, log.exitValue(), said);
            assertTrue(
                    Pattern.compile(
                                    "COMMAND_CANCELLED: read up to binlog\\.0000\\d\\d:\\d+, \\d+ bytes, found 0 rows.*--from "
                                            + sid)
                            .matcher(said)
                            .find(),
                    said);
        }
    }

    @Test
    @Order(8)
    void whatIsPurgedIsReadFromTheBackup() throws Exception {
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            List<Map<String, String>> files = sql.rows("SHOW BINARY LOGS");
            String newest = files.get(files.size() - 1).get("Log_name");
            assertTrue(files.size() > 2, files.toString());
            Await.until("the files to be backed up and purged", Duration.ofSeconds(60), () -> {
                try {
                    sql.execute("PURGE BINARY LOGS TO '" + newest + "'");
                } catch (SQLException e) {
                    return false;
                }
                return !Files.exists(cluster.binlogFolder().resolve("binlog.000001"));
            });
        }
        assertSame(all, commands.run("log", "--json", "-n", "1000000"));
        assertSame(all, run(served("log", "--json", "-n", "1000000")));
        CommandRun.Printed point = commands.run("positions", "--at", sid + ":" + first);
        assertEquals(0, point.status(), point.err());
        cluster.node().terminate();
        Path alone = Files.writeString(
                folder.resolve("alone.properties"),
                Files.readString(cluster.node().configFile())
                        .replaceAll("(?m)^binlog.directory.*$", "binlog.directory=" + folder.resolve("nothing")));
        CommandRun.Printed backup = commands.runWith(alone, "log", "--json", "-n", "1000000");
        assertTrue(backup.status() == 0 && all.startsWith(backup.out()), backup.err());
        assertTrue(backup.out().lines().count() > 1000, backup.err());
    }
}
