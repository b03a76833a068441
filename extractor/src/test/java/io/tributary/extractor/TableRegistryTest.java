package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One id for each table map of each physical table, one shape for each kind of rows of a logical one. */
class TableRegistryTest {
    private static final TableName NAME = new TableName("s", "t");

    private static TableRegistry.Body body(int... bytes) {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            all[i] = (byte) bytes[i];
        }
        return new TableRegistry.Body(all, new byte[] {all[0]}, true);
    }

    @Test
    void givesOneIdForOneTableMapOfOnePhysicalTable() {
        TableRegistry registry = new TableRegistry(41);
        TableRef first = registry.table(NAME, NAME, body(1, 2));
        assertEquals(42, first.id());
        assertEquals(first, registry.table(NAME, NAME, body(1, 2)));
        assertNotEquals(first, registry.table(NAME, NAME, body(1, 3)));
        assertNotEquals(first, registry.table(new TableName("s", "u"), NAME, body(1, 2)));
        TableName physical = new TableName("s_1", "t_7");
        TableRef other = registry.table(NAME, physical, body(1, 2));
        assertNotEquals(first, other);
        assertEquals(physical, other.physical());
        assertEquals(45, registry.highestId());
    }

    @Test
    void theShapeIsTheFirstIdOfALogicalTableWithTheseColumns() {
        TableRegistry registry = new TableRegistry(41);
        assertEquals(42, registry.table(NAME, NAME, body(1, 2)).shape());
        assertEquals(42, registry.table(NAME, NAME, body(1, 3)).shape());
        assertEquals(
                42, registry.table(NAME, new TableName("s", "t_7"), body(1, 2)).shape());
        assertEquals(45, registry.table(NAME, NAME, body(2, 2)).shape());
        assertEquals(
                46, registry.table(new TableName("s", "u"), NAME, body(1, 2)).shape());
        assertEquals(42, registry.table(NAME, NAME, body(1, 4)).shape());
    }

    /** MySQL 8.0.31's events of {@code shop.t (id INT PRIMARY KEY)} before and after another table has a foreign key to it, and of a BIGINT. */
    @Test
    void aForeignKeyOfAnotherTableDoesNotChangeTheShape() {
        TableRegistry registry = new TableRegistry(0);
        String names = "0473686f7000017400";
        TableRef before = table(registry, "0100" + names + "010300000101000403026964" + "0801000c0180");
        TableRef after = table(registry, "0300" + names + "010300000101000403026964" + "0801000c0180");
        TableRef keyless = table(registry, "0100" + names + "010300010101000403026964" + "0c0180");
        TableRef other = table(registry, "0100" + names + "010800000101000403026964" + "0801000c0180");
        TableRef unnamed = table(registry, "0100" + names + "01030000" + "010100");
        assertEquals(before, after);
        assertNotEquals(before, keyless);
        assertEquals(before.shape(), keyless.shape());
        assertNotEquals(before.shape(), other.shape());
        assertNotEquals(before.shape(), unnamed.shape());
        assertTrue(before.isNamed());
        assertFalse(unnamed.isNamed());
    }

    private static TableRef table(TableRegistry registry, String afterTheTableId) {
        byte[] bytes = HexFormat.of().parseHex(afterTheTableId);
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 6 + bytes.length);
        EventHeader.write(event, 0, new EventOrigin(1, 1), EventType.TABLE_MAP_EVENT, event.limit());
        event.put(EventHeader.LENGTH + 6, bytes);
        TableMapEvent.check(event, 0, event.limit());
        return registry.table(event, 0, event.limit(), new TableName("shop", "t"));
    }

    @Test
    void givesOneIdToManyThreads() {
        TableRegistry registry = new TableRegistry(0);
        Set<Long> ids = IntStream.range(0, 4000)
                .parallel()
                .mapToObj(i -> registry.table(NAME, new TableName("s", "t" + i % 10), body(7))
                        .id())
                .collect(Collectors.toSet());
        assertEquals(10, ids.size());
        assertEquals(10, registry.highestId());
    }
}
