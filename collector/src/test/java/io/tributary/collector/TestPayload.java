package io.tributary.collector;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Events in memory, in one range or in several; refuses to be read or released once it is released. */
public final class TestPayload implements Payload {
    private final List<ByteBuffer> ranges = new ArrayList<>();
    private final AtomicInteger held;
    private int length;
    private int events;
    private boolean released;

    /** @param held counts payloads that are not released */
    public TestPayload(AtomicInteger held) {
        this.held = held;
        held.incrementAndGet();
    }

    /** A statement of one table map and rows events of this type, {@code rowBytes} of rows in each; the last one ends the statement. */
    TestPayload statement(int tableId, int type, int rowsEvents, int rowBytes) {
        event(EventType.TABLE_MAP_EVENT, tableId, 0, 10);
        for (int i = 1; i <= rowsEvents; i++) {
            event(type, tableId, i == rowsEvents ? 1 : 0, rowBytes);
        }
        return this;
    }

    /** A statement without status variables. */
    public TestPayload query(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(0, 0, bytes.length));
        QueryEvent.write(
                event,
                0,
                new EventOrigin(1_700_000_000L, 77),
                new LoggedStatement(0, 1, new byte[0], new byte[0], bytes));
        ranges.add(event);
        length += event.limit();
        events++;
        return this;
    }

    /** One event: header, table id, flags, then bytes that differ from event to event; for a statement its text. */
    public TestPayload event(int type, int tableId, int flags, int more) {
        if (type == EventType.QUERY_EVENT) {
            return query("x".repeat(Math.max(0, more + EventHeader.LENGTH + 8 - QueryEvent.length(0, 0, 0))));
        }
        int size = EventHeader.LENGTH + 8 + more;
        ByteBuffer event = ByteBuffer.allocate(size);
        EventHeader.write(event, 0, new EventOrigin(1_700_000_000L + tableId, 77), type, size);
        LittleEndian.putU48(event, EventHeader.LENGTH, tableId);
        LittleEndian.putU16(event, EventHeader.LENGTH + 6, flags);
        for (int i = 0; i < more; i++) {
            event.put(EventHeader.LENGTH + 8 + i, (byte) (i * 31 + events * 7 + tableId));
        }
        ranges.add(event);
        length += size;
        events++;
        return this;
    }

    /** A table map event. */
    public TestPayload map(ByteBuffer event) {
        ranges.add(event);
        length += event.limit();
        events++;
        return this;
    }

    /** A table map of an INT and a VARCHAR column. */
    public TestPayload map(int tableId, String schema, String table) {
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 64 + schema.length() + table.length());
        event.position(EventHeader.LENGTH + 6).put(new byte[] {1, 0});
        event.put((byte) schema.length())
                .put(schema.getBytes(StandardCharsets.UTF_8))
                .put((byte) 0);
        event.put((byte) table.length())
                .put(table.getBytes(StandardCharsets.UTF_8))
                .put((byte) 0);
        event.put(new byte[] {2, 3, 15, 2, 80, 0, 2}); // columns, types, metadata, nulls
        event.put(new byte[] {1, 1, 0, 4, 4, 1, 'a', 1, 'b'}); // signs, names
        event.flip();
        EventHeader.write(
                event, 0, new EventOrigin(1_700_000_000L + tableId, 77), EventType.TABLE_MAP_EVENT, event.limit());
        LittleEndian.putU48(event, EventHeader.LENGTH, tableId);
        return map(event);
    }

    /** The same bytes in one range. */
    public TestPayload inOnePiece() {
        ByteBuffer all = ByteBuffer.allocate(length + 5);
        int at = 5;
        for (ByteBuffer range : ranges) {
            all.put(at, range, range.position(), range.remaining());
            at += range.remaining();
        }
        ranges.clear();
        ranges.add(all.position(5));
        return this;
    }

    /** The same bytes in random ranges that never split a header. */
    public TestPayload inPieces(SplittableRandom random) {
        ByteBuffer all = inOnePiece().ranges.remove(0).slice();
        boolean[] isInHeader = new boolean[length];
        for (int at = 0; at < length; at = EventHeader.end(all, at)) {
            Arrays.fill(isInHeader, at + 1, at + EventHeader.LENGTH, true);
        }
        int from = 0;
        for (int at = 1; at < length; at++) {
            if (!isInHeader[at] && random.nextInt(12) == 0) {
                ranges.add(all.slice(from, at - from));
                from = at;
            }
        }
        ranges.add(all.slice(from, length - from));
        return this;
    }

    /** Its bytes, also after it was released. */
    public byte[] bytes() {
        byte[] bytes = new byte[length];
        int at = 0;
        for (ByteBuffer range : ranges) {
            range.get(range.position(), bytes, at, range.remaining());
            at += range.remaining();
        }
        return bytes;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int events() {
        return events;
    }

    @Override
    public ByteBuffer contiguousView() {
        requireHeld();
        return ranges.size() == 1 ? ranges.get(0) : null;
    }

    @Override
    public Cursor open() {
        requireHeld();
        return new Cursor() {
            private int next;

            @Override
            public ByteBuffer next() {
                requireHeld();
                return next == ranges.size() ? null : ranges.get(next++);
            }

            @Override
            public void close() {
                requireHeld();
            }
        };
    }

    private void requireHeld() {
        if (released) {
            throw new IllegalStateException("read after it was released");
        }
    }

    @Override
    public void release() {
        if (released) {
            throw new IllegalStateException("released twice");
        }
        released = true;
        held.decrementAndGet();
    }
}
