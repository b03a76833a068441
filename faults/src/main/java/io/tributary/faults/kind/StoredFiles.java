package io.tributary.faults.kind;

import io.tributary.faults.site.TestCluster;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Checks the binlog files in the object store. */
final class StoredFiles {
    private StoredFiles() {}

    /** Waits until every file that is finished now is in the store, and checks that each one is the same there (I8). */
    static void awaitAll(TestCluster cluster) throws IOException {
        List<Path> files = BinlogFolder.files(cluster.binlogFolder());
        List<Path> finished = files.subList(0, files.size() - 1);
        Await.until(
                () -> "all finished files to be in the store; its manifest lacks " + lacking(cluster, finished),
                TestCluster.LIMIT,
                () -> lacking(cluster, finished).isEmpty());
        Map<String, Path> stored = stored(cluster);
        for (Path file : finished) {
            long differs = Files.mismatch(file, stored.get(file.getFileName().toString()));
            if (differs >= 0) {
                throw new AssertionError("I8 backup: " + file.getFileName() + " differs in the store at " + differs);
            }
        }
    }

    /** The files that the backup's manifest does not contain. */
    private static List<String> lacking(TestCluster cluster, List<Path> finished) {
        String named = manifest(cluster);
        return finished.stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> !named.contains(name))
                .toList();
    }

    private static String manifest(TestCluster cluster) {
        try {
            Path manifest = stored(cluster).get("MANIFEST");
            return manifest == null ? "" : Files.readString(manifest);
        } catch (IOException | UncheckedIOException e) { // replaced or removed meanwhile: try again
            return "";
        }
    }

    private static Map<String, Path> stored(TestCluster cluster) throws IOException {
        Map<String, Path> stored = new HashMap<>();
        try (Stream<Path> all = Files.walk(cluster.store().bucket())) {
            all.forEach(file -> stored.put(file.getFileName().toString(), file));
        }
        return stored;
    }
}
