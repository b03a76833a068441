package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.util.HexFormat;
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

    /** What 8.0.31 logs of {@code shop.t (id INT PRIMARY KEY)} before and after another table has a foreign key to it, and of a BIGINT. */
    @Test
    void aForeignKeyOfAnotherTableIsNoOtherShape() {
        TableRegistry registry = new TableRegistry(0);
        String names = "0473686f7000017400";
        TableRef before =
                registry.table("shop", "t", comparable("0100" + names + "010300000101000403026964" + "0801000c0180"));
        TableRef after =
                registry.table("shop", "t", comparable("0300" + names + "010300000101000403026964" + "0801000c0180"));
        TableRef other =
                registry.table("shop", "t", comparable("0100" + names + "010800000101000403026964" + "0801000c0180"));
        assertEquals(before, after);
        assertNotEquals(before, other);
    }

    private static byte[] comparable(String behindTheTableId) {
        byte[] bytes = HexFormat.of().parseHex(behindTheTableId);
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 6 + bytes.length);
        EventHeader.write(event, 0, 1, EventType.TABLE_MAP_EVENT, 1, event.limit(), 0, 0);
        event.put(EventHeader.LENGTH + 6, bytes);
        TableMapEvent.check(event, 0, event.limit());
        return TableMapEvent.comparable(event, 0, event.limit());
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
