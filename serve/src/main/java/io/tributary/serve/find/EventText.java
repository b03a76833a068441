package io.tributary.serve.find;

import io.tributary.binlog.file.CutEvent;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.JournalEvent;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.JournalCodec;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.PreviousGtidsEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.RowsQueryEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.XidEvent;
import io.tributary.schema.sql.SqlNames;
import java.nio.ByteBuffer;

/** The description of an event in one line, in the words of MySQL's SHOW BINLOG EVENTS. It contains no row data. */
final class EventText {
    private static final int LONGEST = 1 << 20;

    private EventText() {}

    /** The name of the event's type, such as {@code Write_rows}. */
    static String type(EventScan events) {
        return switch (events.type()) {
            case EventType.FORMAT_DESCRIPTION_EVENT -> "Format_desc";
            case EventType.PREVIOUS_GTIDS_LOG_EVENT -> "Previous_gtids";
            case EventType.GTID_LOG_EVENT -> "Gtid";
            case EventType.QUERY_EVENT -> "Query";
            case EventType.TABLE_MAP_EVENT -> "Table_map";
            case EventType.WRITE_ROWS_EVENT -> "Write_rows";
            case EventType.UPDATE_ROWS_EVENT -> "Update_rows";
            case EventType.DELETE_ROWS_EVENT -> "Delete_rows";
            case EventType.WRITE_ROWS_EVENT_V1 -> "Write_rows_v1";
            case EventType.UPDATE_ROWS_EVENT_V1 -> "Update_rows_v1";
            case EventType.DELETE_ROWS_EVENT_V1 -> "Delete_rows_v1";
            case EventType.PARTIAL_UPDATE_ROWS_EVENT -> "Update_rows_partial";
            case EventType.ROWS_QUERY_LOG_EVENT -> "Rows_query";
            case EventType.XID_EVENT -> "Xid";
            case EventType.ROTATE_EVENT -> "Rotate";
            case EventType.IGNORABLE_LOG_EVENT -> "Ignorable";
            default -> EventType.name(events.type());
        };
    }

    /** The content of the event; "" when that is unknown, or the event is too large. */
    static String of(EventScan events) {
        ByteBuffer view = events.view();
        int at = events.viewAt();
        int type = events.type();
        if (RowsEvent.isRows(type)) {
            return "table_id: " + RowsEvent.tableId(view, at)
                    + (RowsEvent.endsStatement(view, at) ? " flags: STMT_END_F" : "");
        }
        if (events.end() - events.at() > LONGEST) {
            return "";
        }
        int end = events.viewEnd();
        return switch (type) {
            case EventType.FORMAT_DESCRIPTION_EVENT ->
                "Server ver: " + FormatDescriptionEvent.serverVersion(view, at) + ", Binlog ver: "
                        + FormatDescriptionEvent.binlogVersion(view, at);
            case EventType.PREVIOUS_GTIDS_LOG_EVENT ->
                PreviousGtidsEvent.gtids(view, at, end).line();
            case EventType.GTID_LOG_EVENT ->
                "SET @@SESSION.GTID_NEXT= '" + GtidEvent.uuid(view, at) + ":" + GtidEvent.gno(view, at) + "'";
            case EventType.QUERY_EVENT -> query(view, at, end);
            case EventType.TABLE_MAP_EVENT ->
                "table_id: " + TableMapEvent.tableId(view, at) + " (" + TableMapEvent.schema(view, at) + "."
                        + TableMapEvent.table(view, at) + ")";
            case EventType.ROWS_QUERY_LOG_EVENT -> "# " + RowsQueryEvent.text(view, at, end);
            case EventType.XID_EVENT -> "COMMIT /* xid=" + XidEvent.xid(view, at) + " */";
            case EventType.ROTATE_EVENT ->
                RotateEvent.fileName(view, at, end) + ";pos=" + RotateEvent.position(view, at);
            case EventType.IGNORABLE_LOG_EVENT -> ignorable(view, at, end);
            default -> "";
        };
    }

    private static String query(ByteBuffer view, int at, int end) {
        String schema = QueryEvent.schema(view, at);
        String text = QueryEvent.text(view, at, end);
        return schema.isEmpty() || text.equals("BEGIN") ? text : "use " + SqlNames.name(schema) + "; " + text;
    }

    private static String ignorable(ByteBuffer view, int at, int end) {
        if (CutEvent.isCut(view, at, end)) {
            return cut(view, at, end);
        }
        if (JournalEvent.isJournal(view, at, end) && JournalEvent.isKnown(view, at)) {
            JournalCodec.Head record = JournalCodec.head(JournalEvent.record(view, at, end));
            return "journal of Tributary, " + record.kind() + " " + record.number();
        }
        return "";
    }

    private static String cut(ByteBuffer view, int at, int end) {
        return "cut of Tributary, " + (CutCodec.isFull(CutEvent.cut(view, at, end)) ? "full" : "delta");
    }
}
