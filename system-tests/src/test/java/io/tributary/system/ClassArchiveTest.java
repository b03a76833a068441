package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.local.ClusterNodes;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node leaves an archive of its classes behind when it ends, and the next JVM takes them from it. The nodes of the tests that follow start
 * from this archive; where there is none, or it fits no more, they start all the same. It is for nodes that live for seconds: docs/performance.md
 * says what it costs those that see many events.
 */
class ClassArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void aNodeStartsFromTheClassesOfOneThatEnded() throws Exception {
        Path archive = Path.of(System.getProperty("tributary.classes"));
        Files.deleteIfExists(archive);
        Path made = folder.resolve("made.jsa");
        liveOnce(made);
        assumeTrue(Files.exists(made), "this JVM has no archive of its own classes, and makes none of others");

        Path loaded = folder.resolve("loaded");
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        String options = "-XX:SharedArchiveFile=" + made + " -Xlog:class+load:file=" + loaded;
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(
                "/usr/bin/env",
                "TRIBUTARY_JAVA_OPTS=" + options,
                program,
                "start",
                "-c",
                folder.resolve("none").toString()));
        assertTrue(outcome.output().contains("CONFIG_INVALID"), outcome.output());
        long all = ours(loaded, "source: ");
        long archived = ours(loaded, "source: shared objects file (top)");
        assertTrue(archived > all / 2, archived + " of " + all + " classes came from the archive");
        Path beside =
                archive.resolveSibling("classes-" + ProcessHandle.current().pid() + ".jsa");
        Files.move(made, beside, StandardCopyOption.REPLACE_EXISTING);
        Files.move(beside, archive, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Has one node do what Tasks and Dumpers of a cluster do, with a reader. */
    private void liveOnce(Path archive) throws Exception {
        ClusterNodes nodes = new ClusterNodes(folder, List.of(MysqlOptions.named("s1")), 0, 1, config -> config);
        try (LocalCluster cluster = nodes.cluster()) {
            NodeProcess node = cluster.node();
            node.config().set("node.roles", "task,dumper").set("transmit.listen", "127.0.0.1:" + Ports.free());
            node.with("TRIBUTARY_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:ArchiveClassesAtExit=" + archive);
            nodes.launch().awaitServing(0, Invariants.LIMIT);
            cluster.shards().get(0).execute("CREATE DATABASE bank", "CREATE TABLE bank.one (id INT PRIMARY KEY)");
            cluster.awaitAllWritten(Invariants.LIMIT);
            MysqlTools.Outcome read = RemoteReader.readByPosition(cluster, folder.resolve("copy"), "binlog.000001");
            assertEquals(0, read.status(), read.output());
            assertTrue(node.process().terminate(Invariants.LIMIT), node.lastLines());
        }
    }

    private static long ours(Path file, String part) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(" io.tributary.") && line.contains(part))
                    .count();
        }
    }
}
