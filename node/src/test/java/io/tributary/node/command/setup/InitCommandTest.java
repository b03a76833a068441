package io.tributary.node.command.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.command.TributaryCommand;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.process.StopSignal;
import io.tributary.serve.ServeConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InitCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine line = TributaryCommand.commandLine(new StopSignal(), arguments);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    @Test
    void whatItWritesIsAValidConfigurationWithAPasswordForEachShard() throws Exception {
        Path file = folder.resolve("new/node.properties");
        assertEquals(
                0,
                run(
                        "init",
                        "-c",
                        file.toString(),
                        "--shard",
                        "db1",
                        "--shard",
                        "x=[::1]:3399",
                        "--start",
                        "latest",
                        "--account-host",
                        "10.0.0.%",
                        "--data",
                        "/data"),
                err.toString());
        Config config = NodeKeys.read(file, Map.of());
        var shards = config.get(ExtractorConfig.class).shards();
        assertEquals(Set.of("s1", "x"), shards.keySet());
        String shown = String.join(
                "\n",
                config.settings().stream()
                        .map(each -> each.key() + "=" + each.value())
                        .toList());
        for (String line : List.of(
                "shard.s1.host=db1",
                "shard.s1.port=3306",
                "shard.x.host=::1",
                "shard.x.port=3399",
                "shard.x.start=latest",
                "binlog.directory=/data/binlog",
                "serve.listen=127.0.0.1:3307")) {
            assertTrue(shown.contains(line), line + " in " + shown);
        }
        assertEquals(
                3,
                config.secrets().stream()
                        .map(secret -> secret.reveal())
                        .distinct()
                        .count());
        assertTrue(config.get(ServeConfig.class).password().isPresent());
        String sql = Files.readString(folder.resolve("new/account-x.sql"));
        assertTrue(sql.contains("CREATE USER 'tributary'@'10.0.0.%' IDENTIFIED BY '"), sql);
        assertFalse(out.toString().contains(config.secrets().get(0).reveal()), "passwords are not printed");
        assertEquals(List.of(), NodeKeys.read(file, Map.of()).differences(config));
    }

    @Test
    void wrongAnswersAreExplained() {
        assertEquals(2, run("init", "-c", folder.resolve("n").toString(), "--shard", "a=b:0"));
        assertTrue(err.toString().contains("expected the port of a server, found 0"), err.toString());
        assertEquals(2, run("init", "-c", folder.resolve("n").toString(), "--shard", "a=b", "--shard", "a=c"));
        assertTrue(err.toString().contains("expected different names of shards, found a twice"), err.toString());
        assertEquals(2, run("init", "-c", folder.resolve("n").toString(), "--shard", "a", "--account", "x'; DROP"));
        assertTrue(err.toString().contains("expected an account of letters and digits"), err.toString());
        assertEquals(2, run("init", "-c", folder.resolve("n").toString(), "--shard", "a", "--start", "now"));
        assertTrue(err.toString().contains("expected earliest or latest, found 'now'"), err.toString());
        assertTrue(Files.notExists(folder.resolve("n")));
    }

    @Test
    void aShardHasADefaultNameAndPort() {
        assertEquals(new ShardAddress("s3", new HostPort("db", 3306)), ShardAddress.parse("db", 3));
        assertEquals(new ShardAddress("a", new HostPort("10.0.0.1", 7)), ShardAddress.parse(" a = 10.0.0.1:7", 1));
        assertEquals(new ShardAddress("s1", new HostPort("fd00::1", 3306)), ShardAddress.parse("[fd00::1]", 1));
        for (String wrong : List.of("", "a=", "a b", "h:x", "h:70000", "ü=h", "a=b=c")) {
            assertThrows(IllegalArgumentException.class, () -> ShardAddress.parse(wrong, 1), wrong);
        }
    }
}
