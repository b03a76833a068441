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
 * A test of class archives: a node writes an archive of its classes when it ends, and the next JVM loads them from it. The nodes of later tests start
 * from this archive; without one, or with one that does not match, they start nevertheless. It is for nodes that run for seconds: docs/performance.md
 * states its cost for nodes that process many events.
 */
class ClassArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void aNodeStartsFromTheClassArchiveOfAnEndedNode() throws Exception {
        Path archive = Path.of(System.getProperty("tributary.classes"));
        Files.deleteIfExists(archive);
        Path created = folder.resolve("created.jsa");
        runOnce(created);
        assumeTrue(Files.exists(created), "this JVM has no archive of its own classes, and creates none of others");

        Path loaded = folder.resolve("loaded");
        String program = NodeProcess.projectHome().resolve("bin/tributary").toString();
        String options = "-XX:SharedArchiveFile=" + created + " -Xlog:class+load:file=" + loaded;
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(
                "/usr/bin/env",
                "TRIBUTARY_JAVA_OPTS=" + options,
                program,
                "start",
                "-c",
                folder.resolve("none").toString()));
        assertTrue(outcome.output().contains("CONFIG_INVALID"), outcome.output());
        long all = ownClasses(loaded, "source: ");
        long archived = ownClasses(loaded, "source: shared objects file (top)");
        assertTrue(archived > all / 2, archived + " of " + all + " classes came from the archive");
        Path temporary =
                archive.resolveSibling("classes-" + ProcessHandle.current().pid() + ".jsa");
        Files.move(created, temporary, StandardCopyOption.REPLACE_EXISTING);
        Files.move(temporary, archive, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Runs one node with all roles of a cluster, and a reader. */
    private void runOnce(Path archive) throws Exception {
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

    private static long ownClasses(Path file, String part) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(" io.tributary.") && line.contains(part))
                    .count();
        }
    }
}
