package io.tributary.faults.kind;

import io.tributary.faults.site.Site;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What has come to the object store. */
final class StoredFiles {
    private StoredFiles() {}

    /** Waits until every file that is finished by now is in the store, and holds that each is there as it is here (I8). */
    static void awaitAll(Site site) throws IOException {
        List<Path> files = BinlogFolder.files(site.binlogFolder());
        List<Path> finished = files.subList(0, files.size() - 1);
        Await.until(
                () -> "finished files in the store, whose manifest lacks " + lacking(site, finished),
                Site.LIMIT,
                () -> lacking(site, finished).isEmpty());
        Map<String, Path> stored = stored(site);
        for (Path file : finished) {
            long differs = Files.mismatch(file, stored.get(file.getFileName().toString()));
            if (differs >= 0) {
                throw new AssertionError("I8 backup: " + file.getFileName() + " differs in the store at " + differs);
            }
        }
    }

    /** Files that the backup's manifest does not name. */
    private static List<String> lacking(Site site, List<Path> finished) {
        String named = manifest(site);
        return finished.stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> !named.contains(name))
                .toList();
    }

    private static String manifest(Site site) {
        try {
            Path manifest = stored(site).get("MANIFEST");
            return manifest == null ? "" : Files.readString(manifest);
        } catch (IOException | UncheckedIOException e) { // replaced meanwhile, or a part has gone: looked at again
            return "";
        }
    }

    private static Map<String, Path> stored(Site site) throws IOException {
        Map<String, Path> stored = new HashMap<>();
        try (Stream<Path> all = Files.walk(site.store().bucket())) {
            all.forEach(file -> stored.put(file.getFileName().toString(), file));
        }
        return stored;
    }
}
