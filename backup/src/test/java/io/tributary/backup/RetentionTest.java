package io.tributary.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final Retention ONE_FILE = new Retention(Duration.ZERO, 1);

    private static Manifest manifest(List<Integer> starts) {
        return new Manifest(
                "c",
                IntStream.rangeClosed(1, 5)
                        .mapToObj(i -> new Manifest.Entry(
                                "binlog.00000" + i,
                                10,
                                "aa",
                                i * 10L,
                                i * 10L + 9,
                                i,
                                i == 3 ? Optional.of("key") : Optional.empty(),
                                starts.contains(i)))
                        .toList());
    }

    private static int expired(List<Integer> starts) {
        return ONE_FILE.expired(manifest(starts), 100).size();
    }

    @Test
    void theNewestFileThatStartsTheJournalIsKeptWithAllAfterIt() {
        assertEquals(2, expired(List.of(1, 3)));
        assertEquals(0, expired(List.of(1)));
        assertEquals(4, expired(List.of(2, 5)));
    }

    @Test
    void aBackupFromBeforeTheJournalKeepsOnlyItsNewestFile() {
        assertEquals(4, expired(List.of()));
    }

    @Test
    void theManifestContainsWhichFilesStartTheJournal() {
        Manifest manifest = manifest(List.of(1, 3, 4));
        assertEquals(manifest, Manifest.parse("MANIFEST", manifest.bytes()));
        String text = new String(manifest.bytes(), StandardCharsets.UTF_8);
        assertEquals(3, text.lines().filter(line -> line.endsWith(" /journal")).count(), text);
    }
}
