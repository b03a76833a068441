package io.tributary.transmitter.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.transmit.proto.TransmitWire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The physical names of tables on a stream: the receiver knows each that it needs, and both sides keep few of them. */
class SentTableNamesTest {
    private static final long SEED = Long.getLong("seed", 5);

    private static TableRef ref(int id) {
        TableName physical = new TableName(id % 4 == 0 ? "shop" : "shop_1", id % 4 == 0 ? "t" : "t_" + id);
        return new TableRef(id, id, new TableName("shop", "t"), physical, true);
    }

    @Test
    void theReceiverHasTheNamesOfAllTablesOfAMessage() {
        SplittableRandom random = new SplittableRandom(SEED);
        SentTableNames named = new SentTableNames();
        Map<Long, TableName> known = new HashMap<>();
        int sent = 0;
        int forgotten = 0;
        for (int message = 0; message < 4000; message++) {
            TransmitWire.Tokens.Builder tokens = TransmitWire.Tokens.newBuilder();
            tokens.setNamesAgain(named.messageBegins());
            List<TableRef> needed = new ArrayList<>();
            for (int token = 0; token < 10; token++) {
                List<TableRef> tables = IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> ref(1 + random.nextInt(30_000)))
                        .toList();
                named.add(tables, tokens);
                assertEquals(0, named.bytes(tables));
                needed.addAll(tables);
            }
            if (tokens.getNamesAgain()) {
                known.clear();
                forgotten++;
            }
            tokens.getPhysicalsList()
                    .forEach(each -> known.put(each.getTable(), new TableName(each.getSchema(), each.getName())));
            sent += tokens.getPhysicalsCount();
            needed.forEach(each -> assertEquals(
                    each.physical(), known.getOrDefault(each.id(), new TableName("shop", "t")), "seed " + SEED));
            assertTrue(known.size() <= SentTableNames.MOST + 40);
        }
        assertTrue(forgotten > 0);
        assertTrue(sent < 4000 * 10, "each name was sent again: " + sent);
    }

    @Test
    void aTableMapWithoutRowsMayArriveBeforeTheName() {
        List<TableName> asked = new ArrayList<>();
        RelayedTables tables = new RelayedTables((view, at, end, physical) -> {
            asked.add(physical);
            return new TableRef(asked.size(), 1, new TableName("shop", "t"), physical, true);
        });
        ByteBuffer map = tableMap(77);
        tables.payloadBegins();
        assertEquals(1, tables.map(map, 0, map.capacity()).ref().id());
        TableName physical = new TableName("shop_1", "t_7");
        tables.name(77, physical);
        tables.payloadBegins();
        assertEquals(2, tables.map(map, 0, map.capacity()).ref().id());
        tables.forgetNames();
        tables.name(77, physical);
        assertEquals(2, tables.map(map, 0, map.capacity()).ref().id());
        assertEquals(List.of(new TableName("shop", "t"), physical), asked);
    }

    private static ByteBuffer tableMap(long id) {
        byte[] body = {1, 0, 4, 's', 'h', 'o', 'p', 0, 1, 't', 0, 1, 3, 0, 1};
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 6 + body.length);
        EventHeader.write(event, 0, new EventOrigin(1, 1), EventType.TABLE_MAP_EVENT, event.capacity());
        event.put(EventHeader.LENGTH + 6, body);
        TableMapEvent.setTableId(event, 0, id);
        return event;
    }
}
