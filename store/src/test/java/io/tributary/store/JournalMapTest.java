package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Put;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalMapTest {
    @TempDir
    Path folder;

    private static Map<String, String> shown(JournalMap map, String prefix) {
        Map<String, String> shown = new TreeMap<>();
        List<String> keys = new ArrayList<>();
        map.forEach(prefix, (key, value) -> {
            shown.put(key, Arrays.toString(value));
            keys.add(key);
        });
        List<String> sorted = keys.stream()
                .sorted((a, b) ->
                        Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)))
                .toList();
        assertEquals(sorted, keys, "in the order of the keys' bytes");
        return shown;
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[random.nextInt(300)];
        random.nextBytes(value);
        return value;
    }

    @Test
    void anyHistoryGivesTheSameMapOnHeapAndOnDisk() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 8; round++) {
            Map<String, byte[]> expected = new TreeMap<>();
            try (JournalMap heap = JournalMap.onHeap();
                    JournalMap disk = JournalMap.at(folder, random.nextInt(4000))) {
                for (int step = 0; step < 500; step++) {
                    String key = "d\0" + (char) ('a' + random.nextInt(3)) + "\0\u00e9" + random.nextInt(60);
                    if (random.nextInt(3) == 0) {
                        expected.remove(key);
                        heap.remove(key);
                        disk.remove(key);
                    } else {
                        byte[] value = value(random);
                        expected.put(key, value);
                        heap.put(key, value);
                        disk.put(key, value);
                    }
                    assertArrayEquals(expected.get(key), disk.get(key), () -> "seed " + seed);
                    assertEquals(heap.bytes(), disk.bytes());
                }
                Map<String, String> all = new TreeMap<>();
                expected.forEach((key, value) -> all.put(key, Arrays.toString(value)));
                assertEquals(all, shown(heap, ""), () -> "seed " + seed);
                assertEquals(all, shown(disk, ""), () -> "seed " + seed);
                assertEquals(shown(heap, "d\0b"), shown(disk, "d\0b"));
                assertFalse(shown(disk, "d\0b").isEmpty());
                assertNull(disk.get("d\0"));
                try (JournalMap copy = JournalMap.onHeap()) {
                    copy.takeOver(disk.snapshot());
                    assertEquals(all, shown(copy, ""));
                    assertEquals(disk.number(), copy.number());
                }
                disk.clear();
                assertEquals(Map.of(), shown(disk, ""));
                assertEquals(0, disk.bytes());
            }
        }
    }

    @Test
    void aFewEntriesNeedNoFolder() {
        Path none = folder.resolve("none");
        try (JournalMap map = JournalMap.at(none)) {
            map.put("k", new byte[1000]);
            assertFalse(Files.exists(none));
        }
    }

    @Test
    void filesOfAnEarlierProcessAreWiped() {
        try (JournalMap map = JournalMap.at(folder, 0)) {
            map.put("old", new byte[10]);
            assertTrue(Files.exists(folder.resolve("payload")));
        }
        assertFalse(Files.exists(folder.resolve("payload")));
        try (JournalMap map = JournalMap.at(folder, 0)) {
            map.put("new", new byte[10]);
            assertNull(map.get("old"));
        }
    }

    @Test
    void aSnapshotHasPartsOfBoundedSizeAndSetsTheNumber() {
        try (JournalMap map = JournalMap.at(folder, 1 << 20)) {
            for (int i = 0; i < 20_000; i++) {
                map.put("d\0" + i, new byte[150]);
            }
            long number = map.nextNumber();
            List<Journal> records = new ArrayList<>();
            map.snapshot().forEachRemaining(records::add);
            assertTrue(records.size() > 6, records.size() + " records");
            assertEquals(Journal.end(number), records.get(records.size() - 1));
            records.subList(0, records.size() - 1).forEach(part -> {
                assertEquals(Journal.Kind.SNAPSHOT_PART, part.kind());
                assertTrue(part.bytes() < 1 << 20);
            });
        }
    }

    @Test
    void aRecordThatDoesNotFollowIsRefused() {
        try (JournalMap map = JournalMap.onHeap()) {
            map.fold(Journal.change(1, List.of(new Put("k", new byte[1])), List.of()));
            for (Journal wrong : List.of(
                    Journal.change(1, List.of(), List.of("k")),
                    Journal.change(3, List.of(), List.of("k")),
                    Journal.part(1, List.of()),
                    Journal.end(1))) {
                TributaryException thrown = assertThrows(TributaryException.class, () -> map.fold(wrong));
                assertEquals(ErrorCode.CUT_UNUSABLE, thrown.code());
            }
            map.clear();
            map.fold(Journal.part(4, List.of(new Put("k", new byte[1]))));
            assertThrows(TributaryException.class, () -> map.fold(Journal.change(5, List.of(), List.of())));
            assertThrows(TributaryException.class, () -> map.fold(Journal.end(5)));
            map.fold(Journal.end(4));
            map.fold(Journal.change(5, List.of(), List.of("k")));
            assertEquals(0, map.bytes());
        }
    }
}
