package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
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
        return runWith("rw-r-----", command, lines);
    }

    private int runWith(String rights, String command, String... lines) throws IOException {
        Path file = Files.write(folder.resolve("node.properties"), List.of(lines));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
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
    void reportsEveryShardThatDoesNotAnswerAndEveryDirectoryThatCannotBeUsed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertEquals(1, run("check", node(file.resolve("binlog"))), err.toString());
        List<String> lines = out.toString().lines().toList();
        assertEquals(4, lines.size(), out.toString());
        assertTrue(lines.get(0).startsWith("binlog.directory: expected a directory to read and write"), lines.get(0));
        assertTrue(lines.get(1).startsWith("shard a: "), lines.get(1));
        assertTrue(lines.get(2).startsWith("shard b: "), lines.get(2));
        assertEquals("3 problems", lines.get(3));
        assertTrue(Files.notExists(folder.resolve("spill")), "a check creates nothing");
    }

    @Test
    void programsGetProblemsAndWarningsAsOneValue() throws IOException {
        Path config = Files.write(folder.resolve("node.properties"), List.of(node(folder.resolve("binlog"))));
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r-----"));
        CommandLine line = TributaryCommand.commandLine(stop);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertEquals(1, line.execute("check", "-o", "json", "-c", config.toString()));
        assertTrue(
                out.toString().startsWith("{\"fit\":false,\"running\":false,\"problems\":[\"shard a: "),
                out.toString());
        assertTrue(out.toString().endsWith("\"warnings\":[],\"shards\":[]}\n"), out.toString());
    }

    @Test
    void anAddressBeyondLoopbackWithoutCertificatesIsRefusedUnlessItIsConfigured() throws IOException {
        String[] node = {
            "node.roles = dumper",
            "cluster.zookeeper = 127.0.0.1:1",
            "cluster.lease = 200ms",
            "binlog.directory = " + folder.resolve("binlog"),
            "admin.listen = 127.0.0.1:0",
            "serve.listen = 127.0.0.1:0",
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

        out.getBuffer().setLength(0);
        String[] insecure = Arrays.copyOf(node, node.length + 1);
        insecure[node.length] = "grpc.insecure = true";
        assertEquals(1, run("check", insecure), out + " " + err);
        assertFalse(out.toString().contains("dumper.listen"), out.toString());
        assertEquals(2, out.toString().lines().count(), "ZooKeeper alone is missing: " + out);
    }

    @Test
    void reportsProblemsWithTheCertificatesBetweenNodes() throws IOException {
        Path pem = Files.writeString(folder.resolve("node.pem"), "no certificate");
        assertEquals(
                1,
                run(
                        "check",
                        "node.role = dumper",
                        "admin.listen = 127.0.0.1:0",
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
    void reportsProblemsWithTheCertificateOfTheAdminEndpoint() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        SelfSignedCertificate.in(folder, "admin", new Clock() {
            @Override
            public long nanoTime() {
                return Clock.SYSTEM.nanoTime();
            }

            @Override
            public long epochMicros() {
                return 0; // 1970: it was valid for ten years
            }
        });
        SelfSignedCertificate.in(other, "admin", Clock.SYSTEM);
        String[] node = {
            "node.role = dumper",
            "admin.listen = 127.0.0.1:0",
            "binlog.directory = " + folder.resolve("binlog"),
            "serve.listen = 127.0.0.1:0",
            "serve.password = p",
            "admin.tls.certificate = " + folder.resolve(SelfSignedCertificate.CERTIFICATE),
            "admin.tls.key = " + folder.resolve(SelfSignedCertificate.KEY)
        };
        assertEquals(0, run("check", node), "an expired certificate does not prevent a start: " + out + err);
        assertTrue(out.toString().contains("The certificate of the admin endpoint has expired at 19"), out.toString());
        out.getBuffer().setLength(0);
        node[node.length - 1] = "admin.tls.key = " + other.resolve(SelfSignedCertificate.KEY);
        assertEquals(1, run("check", node), out.toString());
        assertTrue(
                out.toString().contains("admin.tls: ") && out.toString().contains("found another key"), out.toString());
    }

    @Test
    void refusesAcknowledgementsThatAreNotDurable() throws IOException {
        for (String sync : List.of("never", "interval")) {
            String[] lines = {
                "node.role = dumper",
                "admin.listen = 127.0.0.1:0",
                "dumper.listen = 127.0.0.1:0",
                "dumper.followers = 2",
                "binlog.directory = " + folder.resolve("binlog"),
                "binlog.sync = " + sync,
                "serve.listen = 127.0.0.1:0",
                "serve.password = p"
            };
            assertEquals(1, run("check", lines), err.toString());
            assertTrue(
                    out.toString().startsWith("binlog.sync: expected always, because dumper.ack is not leader"),
                    out.toString());
            assertEquals(1, run("start", lines));
            assertTrue(err.toString().startsWith("CONFIG_INVALID: binlog.sync: expected always"), err.toString());
            String[] alone = lines.clone();
            alone[3] = "dumper.ack = leader";
            assertEquals(0, run("check", alone), err.toString());
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
        }
    }

    @Test
    void findsAZooKeeperThatDoesNotAnswer() throws IOException {
        String[] lines = {
            "node.roles = dumper",
            "cluster.zookeeper = 127.0.0.1:1",
            "cluster.lease = 200ms",
            "admin.listen = 127.0.0.1:0",
            "dumper.listen = 127.0.0.1:0",
            "binlog.directory = " + folder.resolve("binlog"),
            "serve.listen = 127.0.0.1:0",
            "serve.password = p"
        };
        assertEquals(1, run("check", lines), err.toString());
        List<String> found = out.toString().lines().toList();
        assertEquals(2, found.size(), out.toString());
        assertTrue(found.get(0).startsWith("cluster.zookeeper: "), found.get(0));
    }

    @Test
    void findsAPasswordInClearTextThatOtherUsersCanRead() throws IOException {
        String[] lines = dumper("serve.password = in-the-clear");
        assertEquals(0, run("check", lines), out.toString());
        assertEquals(1, runWith("rw-r--r--", "check", lines), out.toString());
        assertTrue(out.toString().contains("found line 4: serve.password | chmod o-rwx"), out.toString());
        assertFalse(out.toString().contains("in-the-clear"), out.toString());
        out.getBuffer().setLength(0);

        Path secret = Files.writeString(folder.resolve("secret"), "in-a-file");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        lines = dumper("serve.password = ${file:" + secret + "}");
        assertEquals(1, runWith("rw-r--r--", "check", lines), out.toString());
        assertTrue(out.toString().contains("expected a file that other users cannot read, found " + secret));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        assertEquals(0, runWith("rw-r--r--", "check", lines), out.toString());
    }

    private String[] dumper(String password) {
        return new String[] {
            "node.role = dumper",
            "admin.listen = 127.0.0.1:0",
            "binlog.directory = " + folder.resolve("binlog"),
            password,
            "serve.listen = 127.0.0.1:0"
        };
    }

    @Test
    void findsAPortThatAnotherProcessUses() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String[] lines = dumper("serve.password = p");
            lines[4] = "serve.listen = 127.0.0.1:" + other.getLocalPort();
            assertEquals(1, run("check", lines), out.toString());
            assertTrue(out.toString().startsWith("serve.listen: expected an address of this machine with a free port"));
        }
    }

    @Test
    void findsTheDirectoryOfARunningNode() throws IOException {
        Path binlog = Files.createDirectories(folder.resolve("binlog"));
        try (FileChannel lock = FileChannel.open(
                        binlog.resolve("tributary.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            assertEquals(1, run("check", dumper("serve.password = p")), out.toString());
            assertTrue(held.isValid() && out.toString().contains("whose lock is held by this process"), out.toString());
        }
        assertEquals(0, run("check", dumper("serve.password = p")), out.toString());
    }

    @Test
    void findsADirectoryInWhichNothingCanBeCreated() throws IOException {
        String[] lines = dumper("serve.password = p");
        lines[2] = "binlog.directory = /proc/tributary"; // root cannot create it either
        assertEquals(1, run("check", lines), out.toString());
        assertTrue(
                out.toString().startsWith("binlog.directory: expected a directory to read and write"), out.toString());
    }

    @Test
    void anInvalidAddressOfZooKeeperIsReported() throws IOException {
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
    void aStartWithAnUnusableDirectoryFailsWithOneLine() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        assertEquals(1, run("start", node(file.resolve("binlog"))));
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().startsWith("DIRECTORY_UNUSABLE: " + file), err.toString());
    }

    @Test
    void aNodeThatIsStoppedEndsWithStatus0() throws IOException {
        stop.request();
        assertEquals(0, run("start", node(folder.resolve("binlog"))), err.toString());
        assertEquals("", err.toString());
    }
}
