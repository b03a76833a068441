package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first steps of a new user with three real shards and only the command line: init, the SQL of the accounts, check, start, a replica; then what the
 * commands show of the node: config diff, support and top, the last one in a pseudo terminal of {@code script} (util-linux).
 */
class FirstStepsIT {
    private static final String ALTERNATE_SCREEN = "\u001b[?1049h";
    private static final String NORMAL_SCREEN = "\u001b[?1049l";

    @TempDir
    private Path folder;

    private Path config;

    private static MysqlTools.Outcome tributary(String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(NodeProcess.projectHome().resolve("bin/tributary").toString()));
        command.addAll(List.of(arguments));
        return MysqlTools.run(command);
    }

    private static String done(String... arguments) {
        MysqlTools.Outcome outcome = tributary(arguments);
        assertEquals(0, outcome.status(), outcome::output);
        return outcome.output();
    }

    private String value(String key) throws IOException {
        return Files.readAllLines(config).stream()
                .filter(line -> line.startsWith(key + " = "))
                .map(line -> line.substring(line.indexOf('=') + 2))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void fromTheAddressesOfShardsToAReplica() throws Exception {
        config = folder.resolve("tributary.properties");
        try (MysqlServers servers = MysqlServers.start(List.of(
                MysqlOptions.named("s1"),
                MysqlOptions.named("s2").of(MysqlRelease.MARIADB_10_11),
                MysqlOptions.named("s3").of(MysqlRelease.MYSQL_5_7_22),
                MysqlReplica.options("replica", 2)))) {
            List<MysqlServer> shards = servers.all().subList(0, 3);
            initialize(shards);
            for (MysqlServer shard : shards) {
                Path sql = folder.resolve("account-" + shard.name() + ".sql");
                MysqlTools.Outcome run = MysqlTools.cached().load(shard, sql);
                assertEquals(0, run.status(), run::output);
                shard.execute(
                        "CREATE DATABASE shop_" + shard.name(),
                        "CREATE TABLE shop_" + shard.name() + ".t (a INT PRIMARY KEY) CHARACTER SET utf8mb4"
                                + " COLLATE utf8mb4_general_ci",
                        "INSERT INTO shop_" + shard.name() + ".t VALUES (1), (2)");
            }
            String check = done("check", "-c", config.toString());
            assertTrue(check.endsWith("fit to start\n"), check);
            Path log = folder.resolve("node.log");
            try (ChildProcess node = ChildProcess.start(
                    List.of(
                            NodeProcess.projectHome().resolve("bin/tributary").toString(),
                            "start",
                            "-c",
                            config.toString()),
                    log)) {
                replicaReads(new MysqlReplica(servers.get(3)), shards);
                differencesAreShown();
                theSupportArchiveHasNoPassword();
                topDrawsOnATerminalUntilQ();
                assertTrue(node.isAlive());
            }
        }
    }

    @Test
    void usageHasColoursOnATerminalOnlyWithoutNoColor() throws Exception {
        String program = NodeProcess.projectHome().resolve("bin/tributary") + " ";
        try (Pty pty = new Pty(program + "help; echo; NO_COLOR=1 " + program + "help; echo THE END")) {
            Await.until(pty::text, Invariants.LIMIT, () -> pty.text().contains("THE END"));
            int second = pty.text().lastIndexOf("Usage: ");
            assertTrue(pty.text().contains("\u001b[1mtributary"), pty.text());
            assertFalse(
                    pty.text().substring(second).contains("\u001b["), pty.text().substring(second));
        }
        assertFalse(done("help").contains("\u001b"), "this output is no terminal");
    }

    @Test
    void initAsksAtATerminalUntilAnAnswerIsValid() throws Exception {
        String program = NodeProcess.projectHome().resolve("bin/tributary") + " ";
        Path other = folder.resolve("other/node.properties");
        try (Pty pty = new Pty(program + "init -c " + other + "; echo ends with $?")) {
            pty.answer("address of shard 1", "not an address!");
            pty.answer("expected NAME=HOST:PORT", "db1");
            pty.answer("address of shard 2", "db1:3306");
            pty.answer("expected different addresses", "");
            pty.answer("address for readers", "0.0.0.0:3399");
            pty.answer("folder of the binlog", "");
            Await.until(pty::text, Invariants.LIMIT, () -> pty.text().contains("ends with 0"));
        }
        String asked = Files.readString(other);
        assertTrue(asked.contains("shard.s1.host = db1\n") && asked.contains("serve.listen = 0.0.0.0:3399\n"), asked);
    }

    private void initialize(List<MysqlServer> shards) throws IOException {
        List<String> init = new ArrayList<>(List.of("init", "-c", config.toString()));
        for (MysqlServer shard : shards) {
            init.addAll(List.of("--shard", shard.name() + "=127.0.0.1:" + shard.port()));
        }
        init.addAll(List.of("--listen", "127.0.0.1:" + Ports.free(), "--admin", "127.0.0.1:" + Ports.free()));
        done(init.toArray(String[]::new));
        String written = Files.readString(config);
        for (String name : List.of("tributary.properties", "account-s1.sql", "account-s3.sql")) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))),
                    name);
        }
        MysqlTools.Outcome again = tributary(init.toArray(String[]::new));
        assertEquals(1, again.status());
        assertTrue(again.output().startsWith("FILE_EXISTS: " + config), again::output);
        assertEquals(written, Files.readString(config), "it is not overwritten");
    }

    private void replicaReads(MysqlReplica replica, List<MysqlServer> shards) throws Exception {
        int port = Integer.parseInt(value("serve.listen").replaceAll(".*:", ""));
        done("status", "--wait", Long.toString(Invariants.LIMIT.toSeconds()), "-c", config.toString());
        replica.attachByGtid("127.0.0.1", port, "reader", value("serve.password"));
        for (MysqlServer shard : shards) {
            String count = "SELECT COUNT(*) FROM shop_" + shard.name() + ".t";
            Await.until(() -> "the rows of " + shard.name(), Invariants.LIMIT, () -> {
                assertEquals("", replica.error());
                return replica.server()
                                .text("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop_"
                                        + shard.name() + "'")
                                .equals("1")
                        && replica.server().text(count).equals("2");
            });
        }
        MysqlTools.Outcome read = MysqlTools.run(MysqlTools.cached()
                .remoteBinlog(port, "reader", value("serve.password"), "--verbose", "binlog.000001"));
        assertEquals(0, read.status(), read::output);
        for (MysqlServer shard : shards) {
            assertTrue(read.output().contains("### INSERT INTO `shop_" + shard.name() + "`.`t`"), shard.name());
        }
    }

    private void differencesAreShown() throws IOException {
        assertTrue(done("config", "diff", "-c", config.toString()).startsWith("the running node uses the values of "));
        Files.writeString(
                config,
                Files.readString(config).replaceFirst("server.id = \\d+", "server.id = 77")
                        + "binlog.purge.size = 77GiB\n");
        MysqlTools.Outcome changed = tributary("config", "diff", "-c", config.toString());
        assertEquals(1, changed.status());
        assertTrue(changed.output().matches("(?s).*server.id +\\d+ +77 +a restart\\n.*"), changed::output);
        assertTrue(changed.output().matches("(?s).*binlog.purge.size .* 77GiB +reload\\n.*"), changed::output);
        assertEquals(1, tributary("reload", "-c", config.toString()).status(), "server.id waits");
        MysqlTools.Outcome waits = tributary("config", "diff", "-o", "json", "-c", config.toString());
        assertTrue(
                waits.output().contains("\"file\":\"77\",\"needs\":\"a restart\"}],\"secrets.not.compared\":[]"),
                waits::output);
    }

    private void theSupportArchiveHasNoPassword() throws IOException {
        Path archive = folder.resolve("support.zip");
        String printed = done("support", "-c", config.toString(), "-f", archive.toString(), "--log", config.toString());
        assertFalse(printed.contains("missing"), printed);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)));
        Map<String, String> files = unpacked(archive);
        for (String key : List.of("serve.password", "shard.s1.password", "shard.s2.password", "shard.s3.password")) {
            String password = value(key);
            files.forEach((name, text) -> assertFalse(text.contains(password), name + " has " + key));
        }
        Map<String, String> contents = Map.of(
                "status.json", "\"role\":\"standalone\"",
                "metrics.txt", "tributary_write_transactions_total",
                "config-file.txt", "shard.s1.password",
                "config-running.json", "\"secrets.changed\":[]",
                "threads.txt", "\tat java.".strip(),
                "log.txt", "node starts: version=",
                "versions.txt", "protocol.stream",
                "binlog-files.txt", "binlog.000001",
                "log-tributary.properties", "shard.s1.password = ***");
        contents.forEach((name, text) -> assertTrue(
                files.getOrDefault("tributary-support/" + name, "").contains(text),
                () -> name + ": expected " + text + ", found " + files.get("tributary-support/" + name)));
        assertTrue(Files.size(archive) < 1 << 20, "it is small");
    }

    private static Map<String, String> unpacked(Path archive) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return files;
    }

    private void topDrawsOnATerminalUntilQ() throws Exception {
        String once = done("top", "-c", config.toString());
        assertTrue(once.startsWith("tributary ") && once.contains("\ns1 ") && !once.contains("\u001b"), once);
        String program = NodeProcess.projectHome().resolve("bin/tributary") + " ";
        try (Pty pty = new Pty("stty rows 30 cols 100; " + program + "top -c " + config + "; echo ends with $?")) {
            Await.until(pty::text, Invariants.LIMIT, () -> pty.text().split("written lag s", -1).length > 2);
            pty.type("q");
            Await.until(pty::text, Invariants.LIMIT, () -> pty.text().contains("ends with 0"));
            assertTrue(pty.text().contains(ALTERNATE_SCREEN), "the screen of before is kept");
            assertTrue(pty.text().indexOf(NORMAL_SCREEN) > pty.text().indexOf(ALTERNATE_SCREEN));
        }
    }

    /** A shell command in a pseudo terminal. */
    private static final class Pty implements AutoCloseable {
        private final ChildProcess process;
        private final StringBuilder text = new StringBuilder();
        private int answered;

        Pty(String command) throws IOException {
            ProcessBuilder builder = new ProcessBuilder("script", "-q", "-e", "-c", command, "/dev/null");
            builder.environment().put("TERM", "xterm");
            builder.environment().remove("NO_COLOR");
            process = ChildProcess.start(builder.redirectErrorStream(true));
        }

        /** All output until now. */
        String text() {
            try {
                InputStream out = process.process().getInputStream();
                byte[] bytes = new byte[out.available()];
                text.append(new String(bytes, 0, out.readNBytes(bytes, 0, bytes.length), StandardCharsets.UTF_8));
                return text.toString();
            } catch (IOException e) {
                return text.toString(); // the process has ended
            }
        }

        void type(String keys) throws IOException {
            OutputStream in = process.process().getOutputStream();
            in.write(keys.getBytes(StandardCharsets.UTF_8));
            in.flush();
        }

        /** Waits for a question after the previous one, and types a line. */
        void answer(String question, String line) throws IOException {
            Await.until(this::text, Invariants.LIMIT, () -> text().indexOf(question, answered) >= 0);
            answered = text.indexOf(question, answered) + 1;
            type(line + "\n");
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
