package io.tributary.replay.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The rows events of a transaction with their table maps, in the form in which the target gets them: without checksums, updates of
 * overwritten tables as DELETE and WRITE, and divided into pieces of which each is one BINLOG statement. For one thread.
 *
 * <p>A row at a time, in the order of the event: an event may change a row twice (a trigger of another table), so that all DELETEs before all
 * WRITEs would leave a row whose key changes twice in two places.
 */
final class TransactionRows {
    /** The id of an event without rows that only ends a statement. */
    private static final long NO_TABLE = 0xff_ffff;

    private static final int SMALLEST = 1 << 12;
    private static final int MOST_KEPT = 1 << 22;
    private static final int FIXED_PART = EventHeader.LENGTH + 8;

    private final int usualBytes;
    private final int mostBytes;
    private final Consumer<byte[]> out;
    private final Map<Long, Table> tables = new LinkedHashMap<>();
    private ByteBuffer buf = ByteBuffer.allocate(SMALLEST);
    private int length;
    private long mapBytes;
    private int lastRowsAt = -1;

    /** The current event. */
    private ByteBuffer view;

    private int at;
    private int end;
    private long id;
    private Table table;

    /** A table map of the statement. */
    private static final class Table {
        private final TableName name;
        private final RowTreatment treatment;
        private final byte[] event;
        private RowImages images;

        Table(TableName name, RowTreatment treatment, byte[] event) {
            this.name = name;
            this.treatment = treatment;
            this.event = event;
        }

        RowImages images() {
            if (images == null) {
                images = new RowImages(TableShape.of(ByteBuffer.wrap(event), 0, event.length));
            }
            return images;
        }
    }

    /**
     * @param usualBytes a piece ends before it is larger, unless a single row is
     * @param mostBytes a larger piece is not possible
     * @param out receives the events of each BINLOG statement
     */
    TransactionRows(int usualBytes, int mostBytes, Consumer<byte[]> out) {
        this.usualBytes = usualBytes;
        this.mostBytes = mostBytes;
        this.out = out;
    }

    /** Forgets everything; a transaction begins. */
    void begin() {
        tables.clear();
        mapBytes = 0;
        length = 0;
        lastRowsAt = -1;
    }

    /** Receives a checked table map, without its checksum, and owns it. A server ignores rows of a table whose map comes after other rows, so each piece begins with all maps. */
    void tableMap(byte[] event, TableName name, RowTreatment treatment) {
        endStatement();
        ByteBuffer copy = ByteBuffer.wrap(event);
        EventHeader.setSize(copy, 0, event.length);
        EventHeader.setLogPos(copy, 0, 0);
        mapBytes += treatment == RowTreatment.PASS_OVER ? 0 : event.length;
        tables.put(TableMapEvent.tableId(copy, 0), new Table(name, treatment, event));
    }

    /** The transaction has no more events: passes the last piece on. */
    void end() {
        endPiece();
    }

    /** Receives a checked rows event. */
    void rows(ByteBuffer event, int from, int to) {
        view = event;
        at = from;
        end = to;
        id = RowsEvent.tableId(view, at);
        table = tables.get(id);
        if (table == null && (id != NO_TABLE || RowsEvent.rowsAt(view, at) != end)) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    EventType.name(EventHeader.type(view, at)) + ": expected a table map of table id " + id
                            + " in its statement, found none");
        }
        if (table != null && table.treatment != RowTreatment.PASS_OVER) {
            apply();
        }
        if (RowsEvent.endsStatement(view, at)) {
            endStatement();
            tables.clear();
            mapBytes = 0;
        }
    }

    private void apply() {
        boolean overwrites = table.treatment == RowTreatment.OVERWRITE;
        if (overwrites) {
            requireWholeRows();
        }
        if (overwrites && RowsEvent.isUpdate(view, at)) {
            split();
        } else {
            int to = room(end - at);
            buf.put(to, view, at, end - at);
            finish(to, end - at);
        }
    }

    private void requireWholeRows() {
        int type = EventHeader.type(view, at);
        if (RowsEvent.isPartial(type) || !RowsEvent.hasAllColumns(view, at)) {
            throw new TributaryException(
                    ErrorCode.REPLAY_FAILED,
                    table.name + ": expected rows with all columns in all images (binlog_row_image=FULL,"
                            + " binlog_row_value_options=''), found " + EventType.name(type)
                            + " that lacks some; correct the setting on the shards and copy the table again");
        }
    }

    /** Writes a DELETE of the image before and a WRITE of the image after for each row. */
    private void split() {
        RowImages images = table.images();
        if (RowsEvent.columnCount(view, at) != images.columns()) {
            throw malformed(
                    images.columns() + " columns as in the table map", RowsEvent.columnCount(view, at) + " columns");
        }
        int before = RowsEvent.rowsAt(view, at);
        while (before < end) {
            int after = images.end(view, before, end);
            int next = images.end(view, after, end);
            if (next == before) {
                throw malformed("rows of at least one byte", "images without columns");
            }
            image(EventType.DELETE_ROWS_EVENT, before, after);
            image(EventType.WRITE_ROWS_EVENT, after, next);
            before = next;
        }
    }

    /** Writes an event with one image, without the extra data, which has the partitions of both images. */
    private void image(int type, int from, int to) {
        int columns = table.images().columns();
        int columnsAt = FIXED_PART + RowsEvent.NO_EXTRA_LENGTH;
        int bitmapAt = columnsAt + PackedInteger.length(columns);
        int rowAt = bitmapAt + (columns + 7) / 8;
        int size = rowAt + to - from;
        int at0 = room(size);
        buf.put(at0, view, at, FIXED_PART);
        EventHeader.setType(buf, at0, type);
        LittleEndian.putU16(buf, at0 + FIXED_PART, RowsEvent.NO_EXTRA_LENGTH);
        PackedInteger.put(buf, at0 + columnsAt, columns);
        buf.put(at0 + bitmapAt, view, RowsEvent.columnsAt(view, at), rowAt - bitmapAt);
        buf.put(at0 + rowAt, view, from, to - from);
        finish(at0, size);
    }

    /** Ends a piece that would become too large, writes the table maps at the beginning of one; returns where the event begins. */
    private int room(int bytes) {
        if (length > 0 && whole(bytes) > usualBytes) {
            endPiece();
        }
        long whole = whole(bytes);
        if (whole > mostBytes) {
            throw new TributaryException(
                    ErrorCode.TARGET_UNFIT,
                    table.name + ": expected max_allowed_packet of at least " + BinlogText.packetFor(whole)
                            + " bytes on the target for a row in " + EventType.name(EventHeader.type(view, at))
                            + ", found a value that allows events of " + mostBytes
                            + " bytes; set it with SET GLOBAL max_allowed_packet (at most 1 GiB), then run again");
        }
        reserve((int) whole);
        if (lastRowsAt < 0) {
            tables.values().forEach(this::describe);
        }
        return length;
    }

    private long whole(int bytes) {
        return (long) length + bytes + (lastRowsAt < 0 ? mapBytes : 0);
    }

    private void describe(Table mapped) {
        if (mapped.treatment != RowTreatment.PASS_OVER) {
            buf.put(length, mapped.event);
            length += mapped.event.length;
        }
    }

    private void reserve(int whole) {
        if (buf.capacity() < whole) {
            ByteBuffer larger = ByteBuffer.allocate((int) Math.min(mostBytes, Math.max(whole, 2L * buf.capacity())));
            larger.put(0, buf, 0, length);
            buf = larger;
        }
    }

    /**
     * Completes the header of an event that was put there. In overwritten tables foreign keys do not act on rows that are replaced, and unique
     * keys are not relaxed: else two rows with one value could remain.
     */
    private void finish(int to, int size) {
        EventHeader.setSize(buf, to, size);
        EventHeader.setLogPos(buf, to, 0);
        int flags = RowsEvent.flags(view, at) & ~RowsEvent.STMT_END_F;
        if (table.treatment == RowTreatment.OVERWRITE) {
            flags = flags & ~RowsEvent.RELAXED_UNIQUE_CHECKS_F | RowsEvent.NO_FOREIGN_KEY_CHECKS_F;
        }
        RowsEvent.setFlags(buf, to, flags);
        lastRowsAt = to;
        length = to + size;
    }

    /** Marks the last rows event of the table maps before it. */
    private void endStatement() {
        if (lastRowsAt >= 0) {
            RowsEvent.setFlags(buf, lastRowsAt, RowsEvent.flags(buf, lastRowsAt) | RowsEvent.STMT_END_F);
            lastRowsAt = -1;
        }
    }

    private void endPiece() {
        endStatement();
        if (length > 0) {
            out.accept(Arrays.copyOf(buf.array(), length));
        }
        if (buf.capacity() > MOST_KEPT) {
            buf = ByteBuffer.allocate(SMALLEST);
        }
        length = 0;
    }

    private TributaryException malformed(String expected, String found) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED,
                "rows event of " + table.name + ": expected " + expected + ", found " + found);
    }
}
