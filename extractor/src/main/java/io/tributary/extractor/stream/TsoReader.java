package io.tributary.extractor.stream;

import static io.tributary.mysql.event.EventType.*;

import io.tributary.extractor.SourceTable;
import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.nio.ByteBuffer;

/** The reader of the commit timestamp of a transaction whose rows are not used: from the marker table, or from the events of PolarDB-X. */
final class TsoReader {
    private final SourceTables tables;
    private final TransactionState open;
    private final PolarDbxTimestamps timestamps;

    TsoReader(SourceTables tables, TransactionState open, PolarDbxTimestamps timestamps) {
        this.tables = tables;
        this.open = open;
        this.timestamps = timestamps;
    }

    /** Reads an event of any type; events without a TSO are ignored. */
    void read(ByteBuffer view, int at, int end, int type) {
        if (!tables.hasMarker()) {
            return;
        }
        switch (type) {
            case TABLE_MAP_EVENT -> {
                TableMapEvent.check(view, at, end);
                if (tables.isMarker(view, at)) {
                    tables.map(view, at, end);
                }
            }
            case WRITE_ROWS_EVENT,
                    UPDATE_ROWS_EVENT,
                    DELETE_ROWS_EVENT,
                    WRITE_ROWS_EVENT_V1,
                    UPDATE_ROWS_EVENT_V1,
                    DELETE_ROWS_EVENT_V1 -> {
                RowsEvent.check(view, at, end);
                SourceTable table = tables.find(RowsEvent.tableId(view, at));
                if (table != null && table.isMarker()) {
                    MarkerRow.read(view, at, end, table.markerLength(), open);
                }
            }
            case SEQUENCE_EVENT, GCN_LOG_EVENT -> timestamps.read(view, at, end);
            case QUERY_EVENT -> timestamps.readCommit(view, at);
            default -> {} // has no TSO
        }
    }
}
