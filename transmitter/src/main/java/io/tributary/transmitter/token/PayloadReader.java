package io.tributary.transmitter.token;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A reader that copies the payload of a relay into this node's store, with this node's table ids. The payload arrives in ranges that may
 * end anywhere. An event that is split between ranges is first assembled, as in the extractor; nothing larger than one event is assembled.
 */
public final class PayloadReader implements AutoCloseable {
    private static final int KEPT = 1 << 16;

    private final PayloadAppender appender;
    private final RelayedTables tables;
    private final List<TableRef> touched = new ArrayList<>();
    private RelayedTables.Relayed lastTouched;
    private long missing;

    // an event of which only the beginning has arrived
    private ByteBuffer carry = ByteBuffer.allocateDirect(KEPT);
    private int carried;

    public PayloadReader(PayloadAppender appender, TableShapes shapes) {
        this.appender = appender;
        this.tables = new RelayedTables(shapes);
    }

    /** The tables of the relay's table ids. */
    RelayedTables relayed() {
        return tables;
    }

    boolean hasRoom() {
        return appender.hasRoom();
    }

    /** Begins a payload; its bytes follow. */
    void begin(long length) {
        tables.payloadBegins();
        touched.clear();
        lastTouched = null;
        missing = length;
    }

    /**
     * Reads the next bytes of the payload.
     *
     * @param buf changed in place: the table ids are replaced
     * @throws TributaryException STREAM_CONTRADICTION if they are not events, or more bytes than announced
     */
    void read(ByteBuffer buf, int at, int end) {
        if (end - at > missing) {
            throw contradiction("expected " + missing + " more bytes of a payload, found " + (end - at));
        }
        int next = at;
        while (next < end) {
            if (carried == 0 && end - next >= EventHeader.LENGTH) {
                int size = size(buf, next);
                if (size <= end - next) {
                    event(buf, next, size);
                    next += size;
                    continue;
                }
            }
            next += carryOver(buf, next, end);
        }
    }

    private int size(ByteBuffer view, int at) {
        int size = EventHeader.size(view, at);
        if (size < EventHeader.LENGTH || size > missing) {
            throw contradiction("expected an event of " + EventHeader.LENGTH + " to " + missing
                    + " bytes in a payload, found one of " + size);
        }
        return size;
    }

    private int carryOver(ByteBuffer view, int at, int end) {
        boolean knowsSize = carried >= EventHeader.LENGTH;
        int size = knowsSize ? EventHeader.size(carry, 0) : EventHeader.LENGTH;
        int count = Math.min(size - carried, end - at);
        carry.put(carried, view, at, count);
        carried += count;
        if (!knowsSize && carried == EventHeader.LENGTH) {
            size = size(carry, 0);
            if (size > carry.capacity()) {
                carry = ByteBuffer.allocateDirect(size).put(0, carry, 0, EventHeader.LENGTH);
            }
            knowsSize = true;
        }
        if (knowsSize && carried == size) {
            carried = 0;
            event(carry, 0, size);
            if (carry.capacity() > KEPT) {
                carry = ByteBuffer.allocateDirect(KEPT);
            }
        }
        return count;
    }

    private void event(ByteBuffer buf, int at, int size) {
        int type = EventHeader.type(buf, at);
        if (type == EventType.TABLE_MAP_EVENT) {
            RelayedTables.Relayed table = tables.map(buf, at, at + size);
            TableMapEvent.setTableId(buf, at, table.ref().id());
        } else if (RowsEvent.isRows(type)) {
            RowsEvent.check(buf, at, at + size);
            RelayedTables.Relayed table = tables.find(RowsEvent.tableId(buf, at));
            if (table == null) {
                throw contradiction("expected rows of a table that a table map named, found table id "
                        + RowsEvent.tableId(buf, at));
            }
            touch(table);
            RowsEvent.setTableId(buf, at, table.ref().id());
        }
        appender.append(buf, at, size);
        missing -= size;
    }

    private void touch(RelayedTables.Relayed table) {
        if (lastTouched == null || lastTouched.id() != table.id()) {
            lastTouched = table;
            if (!touched.contains(table.ref())) {
                touched.add(table.ref());
            }
        }
    }

    /** The tables of the rows in the payload, each once. */
    List<TableRef> tables() {
        return touched.size() == 1 && lastTouched != null ? lastTouched.alone() : List.copyOf(touched);
    }

    /**
     * Ends the payload after its last byte.
     *
     * @throws TributaryException STREAM_CONTRADICTION if bytes are missing
     */
    Payload finish() {
        if (missing != 0) {
            throw contradiction("expected " + missing + " more bytes of a payload, found its end");
        }
        return appender.finish();
    }

    private static TributaryException contradiction(String message) {
        return new TributaryException(ErrorCode.STREAM_CONTRADICTION, message);
    }

    /** Discards an unfinished payload; finished payloads stay valid. */
    @Override
    public void close() {
        appender.close();
    }
}
