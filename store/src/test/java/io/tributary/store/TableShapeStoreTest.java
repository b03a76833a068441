package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.metric.Metrics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table shape store compared with a map, with more names than its heap holds. */
class TableShapeStoreTest {
    @TempDir
    Path directory;

    @Test
    void limitsTheHeapForManyNamesAndStillFindsAll() {
        try (PayloadStore store = new PayloadStore(StoreSetup.in(directory).config(), new Metrics())) {
            TableShapeStore catalogue = store.catalogue("tables");
            TableShapeStore other = store.catalogue("other");
            for (int i = 1; i <= 8000; i++) {
                catalogue.put(name(i), i);
            }
            assertFalse(store.hasSpilled());
            for (int i = 8001; i <= 30_000; i++) {
                catalogue.put(name(i), i);
            }
            assertTrue(store.hasSpilled());
            for (int i = 30_000; i > 0; i--) {
                assertEquals(i, catalogue.find(name(i)));
                assertEquals(0, other.find(name(i)));
            }
            assertEquals(0, catalogue.find(name(30_001)));
        }
    }

    @Test
    void changesAndRemovesLikeAMapInEveryMode() {
        for (StoreMode mode : StoreMode.values()) {
            SplittableRandom random = new SplittableRandom(mode.name().length());
            try (PayloadStore store =
                    new PayloadStore(StoreSetup.in(directory).mode(mode).config(), new Metrics())) {
                TableShapeStore catalogue = store.catalogue("tables");
                Map<Integer, Long> expected = new HashMap<>();
                for (int step = 0; step < 60_000; step++) {
                    int name = random.nextInt(20_000);
                    if (random.nextInt(10_000) == 0) {
                        int group = name % 7;
                        catalogue.removeAll(("group" + group + "\0").getBytes(StandardCharsets.UTF_8));
                        expected.keySet().removeIf(key -> key % 7 == group);
                    } else if (random.nextBoolean()) {
                        long number = 1 + random.nextLong(1L << 48);
                        catalogue.put(name(name), number);
                        expected.put(name, number);
                    } else {
                        assertEquals(expected.getOrDefault(name, 0L), catalogue.find(name(name)), mode + " " + step);
                    }
                }
            }
        }
    }

    private static byte[] name(int i) {
        return ("group" + i % 7 + "\0table" + i).getBytes(StandardCharsets.UTF_8);
    }
}
