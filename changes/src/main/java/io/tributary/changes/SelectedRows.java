package io.tributary.changes;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.schema.rows.convert.RowBytes;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Selected rows of one table as an event that writes them, as the binlog has it. Used again for each event; for one thread. */
public final class SelectedRows {
    private static final int EXTRA_LENGTH_AT = EventHeader.LENGTH + Long.BYTES;

    private final SelectedTable table;
    private final RowBytes out = new RowBytes();
    private final byte[] head;
    private final byte[] nulls;
    private final byte[][] key;
    private int rows;

    /** Begins with an event without rows. */
    public SelectedRows(SelectedTable table) {
        this.table = table;
        int columns = table.columns().size();
        this.head = head(columns);
        this.nulls = new byte[(columns + 7) / 8];
        this.key = new byte[table.keyColumns().size()][];
        clear();
    }

    private static byte[] head(int columns) {
        int countAt = EXTRA_LENGTH_AT + RowsEvent.NO_EXTRA_LENGTH;
        int columnsAt = countAt + PackedInteger.length(columns);
        ByteBuffer event = ByteBuffer.allocate(columnsAt + (columns + 7) / 8);
        EventHeader.setType(event, 0, EventType.WRITE_ROWS_EVENT);
        LittleEndian.putU16(event, EXTRA_LENGTH_AT, RowsEvent.NO_EXTRA_LENGTH);
        int unused = PackedInteger.put(event, countAt, columns);
        for (int i = 0; i < columns; i++) {
            int at = columnsAt + i / 8;
            event.put(at, (byte) (event.get(at) | 1 << i % 8));
        }
        return event.array();
    }

    /** Begins the next event. */
    public void clear() {
        out.gather();
        out.put(head);
        rows = 0;
    }

    /**
     * Adds a row.
     *
     * @param row in the form of the protocol, of the statement {@link SelectedTable#select}; it is read to its end
     * @throws TributaryException REPLAY_FAILED for a value that its column cannot have
     */
    public void add(ByteBuf row) {
        int nullsAt = out.at();
        Arrays.fill(nulls, (byte) 0);
        out.put(nulls);
        for (int i = 0; i < table.columns().size(); i++) {
            if (row.getUnsignedByte(row.readerIndex()) == LengthEncoding.NULL_VALUE) {
                row.skipBytes(1);
                nulls[i / 8] |= (byte) (1 << i % 8);
            } else {
                value(i, row);
            }
        }
        out.buffer().put(nullsAt, nulls);
        rows++;
    }

    private void value(int column, ByteBuf row) {
        int length = Math.toIntExact(LengthEncoding.readInteger(row));
        for (int part = 0; part < key.length; part++) {
            if (table.keyColumns().get(part) == column) {
                key[part] = new byte[length];
                row.getBytes(row.readerIndex(), key[part]);
            }
        }
        try {
            table.columns().get(column).write(row, length, out);
        } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
            ChangeColumn of = table.table().columns().get(column);
            throw new TributaryException(
                    ErrorCode.REPLAY_FAILED,
                    "table " + table.table().name() + ", column " + of.name() + ": expected a value of "
                            + of.type().name() + ", found one that is none: " + e.getMessage(),
                    e);
        }
    }

    /** The number of rows in the event. */
    public int rows() {
        return rows;
    }

    /** The event from 0 to {@link #end}; valid until the next call of {@link #add} or {@link #clear}. */
    public ByteBuffer view() {
        return out.gathered();
    }

    /** The offset after the last row. */
    public int end() {
        return (int) out.total();
    }

    /** The key of the last row of any event, as literals; empty for a table without a key. */
    public List<String> lastKey() {
        List<String> literals = new ArrayList<>();
        for (int part = 0; part < key.length; part++) {
            literals.add(table.columns().get(table.keyColumns().get(part)).literal(key[part]));
        }
        return literals;
    }
}
