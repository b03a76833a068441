package io.tributary.node.command.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.Config;
import io.tributary.common.config.EffectiveSetting;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.node.admin.AdminAccess;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.admin.AdminServer;
import io.tributary.node.admin.ConfigReload;
import io.tributary.node.admin.FixedView;
import io.tributary.node.command.TributaryCommand;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        CommandLine line = TributaryCommand.commandLine(new StopSignal(), arguments);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private Path file(String name, HostPort admin, String... lines) throws IOException {
        Path file = Files.write(folder.resolve(name), List.of(lines));
        return Files.writeString(file, Files.readString(file) + """
                admin.listen = %s
                serve.password = geheim
                shard.a.host = h
                shard.a.user = u
                shard.a.password = geheimer
                """.formatted(admin));
    }

    @Test
    void showsEveryKeyWithItsOriginAndNoSecret() throws IOException {
        Path file = file("node.properties", new HostPort("127.0.0.1", 1), "server.id = 77");
        assertEquals(0, run("config", "show", "-c", file.toString()), err.toString());
        assertTrue(out.toString().matches("(?s).*\\nserver.id +77 +line 1\\n.*"), out.toString());
        assertTrue(out.toString().matches("(?s).*\\nbinlog.sync +always +default\\n.*"), out.toString());
        assertTrue(out.toString().matches("(?s).*\\nshard.a.password +\\*\\*\\* +line 6\\n.*"), out.toString());
        assertFalse(out.toString().contains("geheim"), out.toString());
        assertEquals(0, run("config", "show", "--set", "shard", "-o", "json", "-c", file.toString()), err.toString());
        assertEquals(
                "[{\"key\":\"shard.a.host\",\"value\":\"h\",\"from\":\"line 4\"},"
                        + "{\"key\":\"shard.a.user\",\"value\":\"u\",\"from\":\"line 5\"},"
                        + "{\"key\":\"shard.a.password\",\"value\":\"***\",\"from\":\"line 6\"}]\n",
                out.toString());
    }

    @Test
    void showsWhatTheRunningNodeUsesAndWhatBringsTheFileIntoEffect() throws IOException {
        HostPort any = new HostPort("127.0.0.1", 0);
        Path old = file(
                "old.properties",
                any,
                "server.id = 77",
                "binlog.purge.size = 1GiB",
                "shard.b.host = b",
                "shard.b.user = u");
        Config started = NodeKeys.read(old, Map.of());
        Path now = folder.resolve("node.properties");
        ConfigReload node = new ConfigReload() {
            @Override
            public Outcome reload() {
                throw new IllegalStateException("not used here");
            }

            @Override
            public Optional<Running> running() {
                return Optional.of(new Running(now.toString(), started.settings(), List.of("shard.a.password"), ""));
            }
        };
        try (AdminServer server = AdminServer.open(
                new AdminConfig(any, List.of(), 8, Duration.ofSeconds(10), AdminAccess.OPEN),
                new Metrics(),
                new FixedView(() -> null, () -> null),
                node)) {
            HostPort admin = new HostPort("127.0.0.1", server.address().getPort());
            file("node.properties", admin, "server.id = 78", "binlog.purge.size = 2GiB");
            assertEquals(1, run("config", "diff", "-c", now.toString()), err.toString());
            List<String> lines = out.toString()
                    .lines()
                    .map(line -> line.replaceAll(" +", " "))
                    .toList();
            assertTrue(lines.contains("server.id 77 78 a restart"), out.toString());
            assertTrue(lines.contains("binlog.purge.size 1GiB 2GiB reload"), out.toString());
            assertTrue(lines.contains("shard.b.host b - shard remove, or a restart"), out.toString());
            assertTrue(lines.contains("shard.a.password *** *** (another value) reload"), out.toString());
            assertTrue(lines.stream().noneMatch(line -> line.startsWith("serve.password")), "it is the same");

            Path other = file("other.properties", admin, "server.id = 77");
            assertEquals(1, run("config", "diff", "-o", "yaml", "-c", other.toString()), err.toString());
            assertTrue(
                    out.toString().contains("secrets.not.compared:\n- shard.a.password\n- serve.password\n"),
                    out.toString());
            assertFalse(
                    out.toString().contains("geheim") || out.toString().contains(EffectiveSetting.HIDDEN + " (a"),
                    out.toString());
        }
        assertEquals(1, run("config", "diff", "-c", now.toString()));
        assertTrue(err.toString().startsWith("NODE_UNREACHABLE"), err.toString());
    }
}
