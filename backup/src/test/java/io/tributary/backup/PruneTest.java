package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.backup.store.DirectoryObjectStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PruneTest {
    @TempDir
    private Path folder;

    @Test
    void remainsOfACrashAreDeletedAndForeignObjectsAreKept() {
        DirectoryObjectStore store = new DirectoryObjectStore(folder);
        List<String> names = List.of(
                "c/binlog.000001",
                "c/binlog.000001.idx",
                "c/binlog.000002",
                "c/binlog.000003",
                "c/binlog.0000000001",
                "c/binlog.9999999999",
                "c/binlog.old");
        names.forEach(name -> store.replace(name, name.getBytes(StandardCharsets.UTF_8)));
        Manifest.Entry third = new Manifest.Entry("binlog.000003", 15, "", 7, 9, 0, Optional.empty(), false);
        new Prune(store, "c/").deleteOlder(new Manifest("c", List.of(third)));
        assertEquals(
                List.of("c/binlog.000003", "c/binlog.0000000001", "c/binlog.9999999999", "c/binlog.old").stream()
                        .sorted()
                        .toList(),
                store.list("c/"));
    }
}
