package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.SourceTable;
import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import java.nio.ByteBuffer;

/** The reader of a shard's rows events and table maps: they go into the payload; rows of the heartbeat and marker tables are also evaluated. */
final class RowsReader {
    /** MySQL's table id for a rows event that only ends a statement. */
    private static final long NO_TABLE = 0xff_ffff;

    private final SourceTables tables;
    private final PayloadWriter payload;
    private final TransactionState open;

    RowsReader(SourceTables tables, PayloadWriter payload, TransactionState open) {
        this.tables = tables;
        this.payload = payload;
        this.open = open;
    }

    void tableMap(ByteBuffer view, int at, int end) {
        open.requireRows(EventType.TABLE_MAP_EVENT);
        payload.tableMap(tables.map(view, at, end), EventHeader.timestamp(view, at));
    }

    /** Whether the rows belong to a table that is kept, and do not have all columns. */
    boolean lackColumns(ByteBuffer view, int at) {
        SourceTable table = tables.find(RowsEvent.tableId(view, at));
        return table != null && table.isKept() && !RowsEvent.hasAllColumns(view, at);
    }

    void rows(ByteBuffer view, int at, int end, int type) {
        open.requireRows(type);
        RowsEvent.check(view, at, end);
        long id = RowsEvent.tableId(view, at);
        SourceTable table = tables.find(id);
        if (table == null) {
            if (id == NO_TABLE && RowsEvent.endsStatement(view, at)) {
                payload.endStatement();
                tables.statementEnds();
                return;
            }
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    "expected a table map of table id " + id + " before its rows, found none");
        }
        if (table.isHeartbeat() && HeartbeatRow.raisesRound(view, at, end)) {
            HeartbeatRow.read(view, at, end, open);
        } else if (table.isMarker()) {
            MarkerRow.read(view, at, end, table.markerLength(), open);
        }
        payload.rows(table, view, at, end);
        if (RowsEvent.endsStatement(view, at)) {
            tables.statementEnds();
        }
    }
}
