package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.write.Dumper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A purge stops at held files, and a crash within it loses nothing and leaves no partial state. */
class PurgeTest {
    @TempDir
    Path folder;

    private Dumper dumper;
    private BinlogFiles files;

    @BeforeEach
    void write() throws Exception {
        dumper = Dumper.ofFiveFiles(folder, Duration.ofHours(1));
        files = dumper.files();
    }

    private void open() {
        dumper = new Dumper(BinlogSettings.in(folder).fileSize(1024));
        files = dumper.files();
    }

    @AfterEach
    void close() {
        dumper.close();
    }

    /** The process has crashed. */
    private static final class Crash extends RuntimeException {}

    private List<String> onDisk() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("binlog.0"))
                    .sorted()
                    .toList();
        }
    }

    private static String names(int first) {
        StringBuilder names = new StringBuilder();
        for (int i = first; i <= 5; i++) {
            names.append(" binlog.00000").append(i);
        }
        return names.toString();
    }

    private String listed() {
        StringBuilder names = new StringBuilder();
        files.list().forEach(file -> names.append(' ').append(file.name()));
        return names.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"purge.beforeIndex", "purge.afterIndex", "purge.betweenUnlinks"})
    void aCrashAtAnyPointLeavesAllFilesOrThoseToKeep(String point) throws Exception {
        assertThrows(
                Crash.class,
                () -> files.purgeTo("binlog.000003", hit -> {
                    if (hit.equals(point)) {
                        throw new Crash();
                    }
                }));
        dumper.close();
        open();
        int first = point.equals("purge.beforeIndex") ? 1 : 3;
        assertEquals(names(first), listed());
        assertEquals(names(first), names(onDisk()));
        assertEquals((first - 1) * 100L, files.purged().last(new io.tributary.common.gtid.Sid(files.serverUuid())));
        for (BinlogFile file : files.list()) {
            if (file.isFinished()) {
                file.verify();
            }
        }
    }

    /** The names of the binlog files; every index must have its file. */
    private static String names(List<String> onDisk) {
        StringBuilder names = new StringBuilder();
        for (String name : onDisk) {
            if (name.endsWith(".idx")) {
                assertTrue(onDisk.contains(name.substring(0, name.length() - 4)), onDisk.toString());
            } else {
                names.append(' ').append(name);
            }
        }
        return names.toString();
    }

    @Test
    void aHeldFileIsKeptWithAllLaterOnes() {
        BinlogFile second = files.find("binlog.000002").orElseThrow();
        assertTrue(files.hold(second));
        assertTrue(files.hold(second));
        Purge purge = files.purgeTo("binlog.000004");
        assertEquals(List.of("binlog.000001"), purge.purged());
        assertEquals(Optional.of("binlog.000002"), purge.held());
        assertTrue(Files.exists(second.path()));
        files.release(second);
        assertEquals(
                Optional.of("binlog.000002"), files.purgeTo("binlog.000004").held());
        files.release(second);
        assertEquals(
                List.of("binlog.000002", "binlog.000003"),
                files.purgeTo("binlog.000004").purged());
        assertFalse(files.hold(second));
    }

    @Test
    void theLastFileIsNeverPurged() {
        Purge purge = files.purgeTo("binlog.000005");
        assertEquals(4, purge.purged().size());
        assertEquals(" binlog.000005", listed());
        assertEquals(List.of(), files.purgeTo("binlog.000005").purged());
    }

    @Test
    void aTimeSelectsTheFilesThatWereFinishedBefore() {
        long third = files.find("binlog.000003").orElseThrow().createdSeconds();
        assertEquals("binlog.000001", files.finishedBefore(0).name());
        assertEquals("binlog.000002", files.finishedBefore(third).name());
        assertEquals("binlog.000003", files.finishedBefore(third + 1).name());
        assertEquals("binlog.000005", files.finishedBefore(Long.MAX_VALUE).name());
    }
}
