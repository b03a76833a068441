package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.role.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final StopSignal stop = new StopSignal();

    @TempDir
    private Path folder;

    private int run(String command, String... lines) throws IOException {
        Path file = Files.write(folder.resolve("node.properties"), List.of(lines));
        CommandLine line = TributaryCommand.commandLine(stop);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return line.execute(command, "-c", file.toString());
    }

    private String[] node(Path binlog) {
        return new String[] {
            "binlog.directory = " + binlog,
            "store.directory = " + folder.resolve("spill"),
            "serve.listen = 127.0.0.1:0",
            "serve.password = p",
            "admin.listen = 127.0.0.1:0",
            "shard.a.host = 127.0.0.1",
            "shard.a.port = 1",
            "shard.a.user = u",
            "shard.b.host = 127.0.0.1",
            "shard.b.port = 2",
            "shard.b.user = u"
        };
    }

    @Test
    void namesEveryShardThatDoesNotAnswerAndEveryFolderThatCannotBeUsed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertEquals(1, run("check", node(file.resolve("binlog"))), err.toString());
        List<String> lines = out.toString().lines().toList();
        assertEquals(4, lines.size(), out.toString());
        assertTrue(lines.get(0).startsWith("binlog.directory: expected a folder to read and write"), lines.get(0));
        assertTrue(lines.get(1).startsWith("shard a: "), lines.get(1));
        assertTrue(lines.get(2).startsWith("shard b: "), lines.get(2));
        assertEquals("3 problems", lines.get(3));
        assertTrue(Files.notExists(folder.resolve("spill")), "a check makes nothing");
    }

    @Test
    void anAddressBeyondLoopbackWithoutCertificatesIsRefusedUnlessItIsSaidAloud() throws IOException {
        String[] node = {
            "node.roles = dumper",
            "cluster.zookeeper = 127.0.0.1:1",
            "binlog.directory = " + folder.resolve("binlog"),
            "serve.password = p",
            "dumper.listen = 0.0.0.0:3322",
            "transmit.listen = 0.0.0.0:3320"
        };
        assertEquals(1, run("check", node), err.toString());
        assertTrue(
                out.toString().contains("dumper.listen = 0.0.0.0:3322: expected grpc.tls.certificate"), out.toString());
        assertTrue(!out.toString().contains("transmit.listen"), "no Task listens there: " + out);
        assertEquals(1, run("start", node));
        assertTrue(err.toString().contains("CONFIG_INVALID: dumper.listen = 0.0.0.0:3322"), err.toString());

        String[] aloud = Arrays.copyOf(node, node.length + 1);
        aloud[node.length] = "grpc.insecure = true";
        assertEquals(0, run("check", aloud), out + " " + err);
    }

    @Test
    void saysWhatIsWrongWithTheCertificatesBetweenNodes() throws IOException {
        Path pem = Files.writeString(folder.resolve("node.pem"), "no certificate");
        assertEquals(
                1,
                run(
                        "check",
                        "node.roles = dumper",
                        "cluster.zookeeper = 127.0.0.1:1",
                        "binlog.directory = " + folder.resolve("binlog"),
                        "serve.listen = 127.0.0.1:0",
                        "serve.password = p",
                        "grpc.tls.certificate = " + pem,
                        "grpc.tls.key = " + pem,
                        "grpc.tls.ca = " + pem),
                err.toString());
        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size(), out.toString());
        assertTrue(lines.get(0).contains(pem.toString()), lines.get(0));
        assertEquals("1 problem", lines.get(1));
    }

    @Test
    void refusesCopiesThatCountAndAreNotForced() throws IOException {
        for (String sync : List.of("never", "interval")) {
            String[] lines = {
                "node.roles = dumper",
                "cluster.zookeeper = 127.0.0.1:1",
                "cluster.dumpers = 3",
                "binlog.directory = " + folder.resolve("binlog"),
                "binlog.sync = " + sync,
                "serve.listen = 127.0.0.1:0",
                "serve.password = p"
            };
            assertEquals(1, run("check", lines), err.toString());
            assertTrue(
                    out.toString().startsWith("binlog.sync: expected always where dumper.ack is not leader"),
                    out.toString());
            assertEquals(1, run("start", lines));
            assertTrue(err.toString().startsWith("CONFIG_INVALID: binlog.sync: expected always"), err.toString());
            String[] alone = lines.clone();
            alone[2] = "dumper.ack = leader";
            assertEquals(0, run("check", alone), err.toString());
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
        }
    }

    @Test
    void anAddressOfZooKeeperThatIsNoneIsNamed() throws IOException {
        for (String wrong : List.of("zk1:2181:3", "zk1:x", "zk1 zk2", "http://zk1:2181")) {
            assertEquals(1, run("start", "node.roles = task", "cluster.zookeeper = " + wrong));
            assertTrue(
                    err.toString()
                            .contains("cluster.zookeeper: expected host:port,host:port,..., found '" + wrong + "'"),
                    err.toString());
            err.getBuffer().setLength(0);
        }
    }

    @Test
    void aFolderThatCannotBeUsedEndsAStartWithOneLine() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertEquals(1, run("start", node(file.resolve("binlog"))));
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().startsWith("DIRECTORY_UNUSABLE: " + file), err.toString());
    }

    @Test
    void aNodeThatIsToldToStopEndsWithStatus0() throws IOException {
        stop.request();
        assertEquals(0, run("start", node(folder.resolve("binlog"))), err.toString());
        assertEquals("", err.toString());
    }
}
