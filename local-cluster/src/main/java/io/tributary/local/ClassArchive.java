package io.tributary.local;

import io.tributary.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The classes that nodes have loaded, in an archive (class data sharing) from which their later starts map them: for nodes that are
 * killed often and share few cores. Where it cannot be made, they start as before.
 */
public final class ClassArchive implements AutoCloseable {
    private static final String OPTIONS = "TRIBUTARY_JAVA_OPTS";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final List<NodeProcess> nodes;
    private final Path folder;
    private final Path archive;
    private ChildProcess making;

    /** Has the nodes' next start list what they load, in files of the folder. */
    public ClassArchive(List<NodeProcess> nodes, Path folder) throws IOException {
        this.nodes = nodes;
        this.folder = Files.createDirectories(folder);
        this.archive = folder.resolve("classes.jsa");
        nodes.forEach(node -> node.with(OPTIONS, options("-XX:DumpLoadedClassList=" + list(node))));
    }

    private static String options(String more) {
        return System.getenv().getOrDefault(OPTIONS, "") + " " + more;
    }

    private Path list(NodeProcess node) {
        return folder.resolve(node.name() + ".classes");
    }

    /** Begins to make the archive of what they have loaded so far. */
    public void make() throws IOException {
        Path all = Files.write(folder.resolve("all.classes"), loaded());
        making = ChildProcess.start(
                List.of(
                        "/usr/bin/env",
                        OPTIONS + "="
                                + options("-Xshare:dump -XX:SharedClassListFile=" + all + " -XX:SharedArchiveFile="
                                        + archive),
                        NodeProcess.projectHome().resolve("bin/tributary").toString(),
                        "start"),
                folder.resolve("classes.log"));
    }

    private Set<String> loaded() throws IOException {
        Set<String> all = new LinkedHashSet<>();
        for (NodeProcess node : nodes) {
            List<String> lines = Files.readAllLines(list(node));
            all.addAll(lines.subList(0, Math.max(0, lines.size() - 1))); // the last may be in the middle of its writing
        }
        all.removeIf(line -> line.contains(" source: ")); // of other loaders than the application's
        return all;
    }

    /** Waits until it is made; the nodes' starts from now on use it. */
    public void use() {
        boolean made = making.awaitExit(LIMIT) && making.exitValue() == 0 && Files.exists(archive);
        nodes.forEach(node -> node.with(OPTIONS, options(made ? "-XX:SharedArchiveFile=" + archive : "")));
    }

    @Override
    public void close() {
        if (making != null) {
            making.close();
        }
    }
}
