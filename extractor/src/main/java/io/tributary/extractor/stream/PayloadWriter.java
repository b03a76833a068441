package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.extractor.SourceTable;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A writer that normalizes the events of one transaction after another (formats.md) and appends them to the store. It writes a new small head;
 * the rest of an event is copied once, from the receive buffer to the store.
 *
 * <p>A statement's table maps wait for its first row that is kept, so a statement that is left out appends nothing. If a statement changes
 * both tables that are kept and tables that are left out, its last kept event waits until the statement ends and is then marked as its end.
 * Of a large event only the head waits; the rest is already in the store.
 */
public final class PayloadWriter {
    private static final int ID_LENGTH = 6;
    /** Offset after table id and flags of rows. */
    private static final int FLAGS_END = EventHeader.LENGTH + ID_LENGTH + 2;
    /** Rows events with more bytes than this are not copied while they wait. */
    private static final int LARGE = 64 << 10;

    private final PayloadAppender appender;
    private final EventOrigin origin; // each event has its own timestamp
    private final ByteBuffer head = ByteBuffer.allocateDirect(64);
    private final List<TableRef> tables = new ArrayList<>();

    private SourceTable[] maps = new SourceTable[8];
    private long[] mapTimes = new long[8];
    private int mapCount;
    private boolean changesLeftOut;
    private final BufferedEvent rowsQuery = new BufferedEvent();
    private final BufferedEvent heldRows = new BufferedEvent(); // only the head of large rows
    private boolean holdsHeadOnly;
    private SourceTable lastTable;

    public PayloadWriter(PayloadAppender appender, long serverId) {
        this.appender = appender;
        this.origin = new EventOrigin(0, serverId);
    }

    boolean hasRoom() {
        return appender.hasRoom();
    }

    /** Whether the unfinished payload has no event. */
    boolean isEmpty() {
        return appender.events() == 0;
    }

    /** Adds the text of the statement whose rows follow; it is kept with them. */
    void rowsQuery(ByteBuffer view, int at, int end) {
        writeHead(view, at, end - at);
        rowsQuery.hold(head, EventHeader.LENGTH, view, at + EventHeader.LENGTH, end);
    }

    /** Adds a table map of the statement whose rows follow. */
    void tableMap(SourceTable table, long timestamp) {
        changesLeftOut |= !table.isKept();
        if (!table.isKept()) {
            return;
        }
        if (mapCount == maps.length) {
            maps = Arrays.copyOf(maps, mapCount * 2);
            mapTimes = Arrays.copyOf(mapTimes, mapCount * 2);
        }
        maps[mapCount] = table;
        mapTimes[mapCount++] = timestamp;
    }

    /** Adds rows of a table that was mapped; the event has been checked. */
    void rows(SourceTable table, ByteBuffer view, int at, int end) {
        boolean ends = RowsEvent.endsStatement(view, at);
        if (table.isKept()) {
            requireAllColumns(table, view, at);
            beginStatement();
            addTable(table);
            int headLength = writeRowsHead(table, view, at, end);
            if (changesLeftOut) {
                flushHeld(false);
                holdRows(headLength, view, at + FLAGS_END, end);
            } else {
                appender.beginEvent(head, 0, headLength);
                appender.append(view, at + FLAGS_END, end - at - FLAGS_END);
            }
        }
        if (ends) {
            endStatement();
        }
    }

    /** Keeps rows whose beginning is in {@link #head} and whose rest is in the view. */
    private void holdRows(int headLength, ByteBuffer view, int from, int end) {
        holdsHeadOnly = end - from > LARGE;
        heldRows.hold(head, headLength, view, from, holdsHeadOnly ? from : end);
        if (holdsHeadOnly) {
            appender.appendHeadless(view, from, end - from);
        }
    }

    /** Refuses rows without all columns: a session may have set a smaller row image than the server, and readers need all columns. */
    private static void requireAllColumns(SourceTable table, ByteBuffer view, int at) {
        if (!RowsEvent.hasAllColumns(view, at)) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "expected rows of " + table.ref() + " with all columns, found a row image without some of them: run"
                            + " SET GLOBAL binlog_row_image = FULL on the shard, and let clients connect again, because"
                            + " sessions keep their old value; then leave this transaction out, and apply its rows to"
                            + " the readers by hand");
        }
    }

    /** Ends the statement's rows. */
    void endStatement() {
        flushHeld(true);
        clearStatement();
    }

    /** Adds an event that does not depend on others, such as the QUERY event of a DDL: its header is normalized, the rest copied. */
    void event(ByteBuffer view, int at, int end) {
        writeHead(view, at, end - at);
        appender.beginEvent(head, 0, EventHeader.LENGTH);
        appender.append(view, at + EventHeader.LENGTH, end - at - EventHeader.LENGTH);
    }

    private void beginStatement() {
        if (mapCount == 0) {
            return;
        }
        if (!rowsQuery.isEmpty()) {
            rowsQuery.appendTo(appender);
        }
        for (int i = 0; i < mapCount; i++) {
            ByteBuffer rendered = maps[i].rendered();
            int size = rendered.capacity();
            EventHeader.write(head, 0, origin, EventType.TABLE_MAP_EVENT, size);
            EventHeader.setTimestamp(head, 0, mapTimes[i]);
            appender.beginEvent(head, 0, EventHeader.LENGTH);
            appender.append(rendered, EventHeader.LENGTH, size - EventHeader.LENGTH);
        }
        mapCount = 0;
    }

    private void addTable(SourceTable table) {
        if (table == lastTable) {
            return;
        }
        lastTable = table;
        if (!tables.contains(table.ref())) {
            tables.add(table.ref());
        }
    }

    /** Writes the head of rows up to their flags to {@link #head}, always in version 2, which every reader accepts; returns its length. */
    private int writeRowsHead(SourceTable table, ByteBuffer view, int at, int end) {
        boolean isVersion1 = RowsEvent.isVersion1(view, at);
        writeHead(view, at, end - at + (isVersion1 ? RowsEvent.NO_EXTRA_LENGTH : 0));
        RowsEvent.setTableId(head, 0, table.ref().id());
        RowsEvent.setFlags(head, 0, RowsEvent.flags(view, at));
        if (table.isDeleted()) {
            RowsEvent.writeToDelete(head, 0);
        }
        return isVersion1 ? RowsEvent.toVersion2(head, 0) : FLAGS_END;
    }

    /** Writes the header as in the output to {@link #head}. */
    private void writeHead(ByteBuffer view, int at, int size) {
        EventHeader.write(head, 0, origin, EventHeader.type(view, at), size);
        EventHeader.setTimestamp(head, 0, EventHeader.timestamp(view, at));
        EventHeader.setFlags(head, 0, EventHeader.flags(view, at));
    }

    private void flushHeld(boolean asEnd) {
        if (heldRows.isEmpty()) {
            return;
        }
        if (asEnd) {
            ByteBuffer bytes = heldRows.bytes();
            RowsEvent.setFlags(bytes, 0, RowsEvent.flags(bytes, 0) | RowsEvent.STMT_END_F);
        }
        if (holdsHeadOnly) {
            heldRows.appendAsHeadTo(appender);
        } else {
            heldRows.appendTo(appender);
        }
    }

    private void clearStatement() {
        mapCount = 0;
        changesLeftOut = false;
        rowsQuery.clear();
    }

    /** The tables of the rows in the unfinished payload, each once. */
    List<TableRef> tables() {
        return tables.size() == 1 && lastTable != null ? lastTable.alone() : List.copyOf(tables);
    }

    /** Ends the payload; the caller owns it. */
    Payload finish() {
        endStatement();
        forgetTables();
        return appender.finish();
    }

    /** Discards the unfinished payload. */
    void discard() {
        heldRows.clear();
        clearStatement();
        forgetTables();
        appender.discard();
    }

    private void forgetTables() {
        tables.clear();
        lastTable = null;
    }

    void close() {
        discard();
        appender.close();
    }
}
