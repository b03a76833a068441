package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.row.TableShape;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged events: they throw only TributaryException, with what was expected and found. */
class MalformedEventTest {
    private final Map<ByteBuffer, TableShape> events = new HashMap<>();

    MalformedEventTest() {
        for (ByteBuffer event : Handmade.all()) {
            events.put(event, null);
        }
        for (String name : new String[] {"golden.000001", "golden.000002"}) {
            Binlog file = Binlog.golden(name);
            for (int at : file.events) {
                ByteBuffer event = ByteBuffer.allocate(file.end(at) - at);
                event.put(0, file.view, at, event.capacity());
                EventHeader.setSize(event, 0, event.capacity());
                events.put(event, RowsEvent.isRows(file.type(at)) ? file.shapeBefore(at) : null);
            }
        }
    }

    @Test
    void everyWholeEventIsRead() {
        events.forEach((event, shape) -> {
            EventHeader.check(event, 0);
            Events.check(event, 0, event.limit());
            Readers.readAll(event, 0, event.limit(), shape);
        });
    }

    @Test
    void anEventThatIsTruncatedAtAnyByteIsRejectedByItsHeader() {
        for (ByteBuffer event : events.keySet()) {
            for (int length = 0; length < event.capacity(); length++) {
                ByteBuffer cut = event.duplicate().limit(length);
                TributaryException refusal = assertThrows(TributaryException.class, () -> EventHeader.check(cut, 0));
                assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
                requireClear(refusal);
            }
        }
    }

    @Test
    void anEventThatIsShorterThanItsContentIsRejectedOrReadWithinItsEnd() {
        events.forEach((event, shape) -> {
            for (int length = EventHeader.LENGTH; length < event.capacity(); length++) {
                ByteBuffer cut = ByteBuffer.allocate(length).put(0, event, 0, length);
                EventHeader.setSize(cut, 0, length);
                readOrRefuse(cut, shape);
            }
        });
    }

    @Test
    void anEventWithAnyDamagedByteIsRejectedOrReadWithinItsEnd() {
        Random random = new Random(5);
        events.forEach((event, shape) -> {
            for (int i = EventHeader.LENGTH; i < event.capacity(); i++) {
                ByteBuffer damaged = ByteBuffer.allocate(event.capacity()).put(0, event, 0, event.capacity());
                damaged.put(i, (byte) (i % 3 == 0 ? 0xff : random.nextInt(256)));
                readOrRefuse(damaged, shape);
            }
        });
    }

    @Test
    void anUnknownTypeIsRejectedUnlessItIsIgnorable() {
        ByteBuffer event = Handmade.event(99, "00");
        TributaryException refusal =
                assertThrows(TributaryException.class, () -> Events.check(event, 0, event.limit()));
        assertEquals(ErrorCode.EVENT_UNKNOWN, refusal.code());
        EventHeader.setFlags(event, 0, EventFlags.LOG_EVENT_IGNORABLE_F);
        Events.check(event, 0, event.limit());
    }

    @Test
    void anUnknownStatusVariableIsRejected() {
        ByteBuffer event =
                Handmade.event(EventType.QUERY_EVENT, "0500000000000000000000" + "0200" + "6300" + "00" + "41");
        TributaryException refusal =
                assertThrows(TributaryException.class, () -> QueryEvent.check(event, 0, event.limit()));
        assertEquals(ErrorCode.EVENT_UNKNOWN, refusal.code());
        assertTrue(refusal.getMessage().contains("found code 99"), refusal.getMessage());
    }

    private static void readOrRefuse(ByteBuffer event, TableShape shape) {
        try {
            Events.check(event, 0, event.limit());
            Readers.readAll(event, 0, event.limit(), shape);
        } catch (TributaryException refusal) {
            requireClear(refusal);
        }
    }

    private static void requireClear(TributaryException refusal) {
        String message = refusal.getMessage();
        assertTrue(message.contains("expected ") && message.contains(", found "), message);
    }
}
