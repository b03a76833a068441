package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tributary.common.value.TableRef;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One id for each shape of each logical table. */
class TableRegistryTest {
    @Test
    void givesOneIdForOneShape() {
        TableRegistry registry = new TableRegistry(41);
        TableRef first = registry.table("s", "t", new byte[] {1, 2});
        assertEquals(42, first.id());
        assertEquals(first, registry.table("s", "t", new byte[] {1, 2}));
        assertNotEquals(first, registry.table("s", "t", new byte[] {1, 3}));
        assertNotEquals(first, registry.table("s", "u", new byte[] {1, 2}));
        assertEquals(44, registry.highestId());
    }

    @Test
    void givesOneIdToManyThreads() {
        TableRegistry registry = new TableRegistry(0);
        Set<Long> ids = IntStream.range(0, 4000)
                .parallel()
                .mapToObj(i -> registry.table("s", "t" + i % 10, new byte[] {7}).id())
                .collect(Collectors.toSet());
        assertEquals(10, ids.size());
        assertEquals(10, registry.highestId());
    }
}
