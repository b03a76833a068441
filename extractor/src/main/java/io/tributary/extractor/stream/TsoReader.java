package io.tributary.extractor.stream;

import io.tributary.extractor.SourceTable;
import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.EventType;
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
        switch (EventType.category(type)) {
            case TABLE_MAP -> {
                TableMapEvent.check(view, at, end);
                if (tables.isMarker(view, at)) {
                    tables.map(view, at, end);
                }
            }
            case ROWS -> rows(view, at, end, type);
            case COMMIT_TIMESTAMP -> timestamps.read(view, at, end);
            case STATEMENT -> timestamps.readCommit(view, at);
            default -> {} // has no TSO
        }
    }

    private void rows(ByteBuffer view, int at, int end, int type) {
        if (RowsEvent.isPartial(type)) {
            return; // not of the marker table
        }
        RowsEvent.check(view, at, end);
        SourceTable table = tables.find(RowsEvent.tableId(view, at));
        if (table != null && table.isMarker()) {
            MarkerRow.read(view, at, end, table.markerLength(), open);
        }
    }
}
