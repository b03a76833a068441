package io.tributary.mysql.event;

import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import io.tributary.mysql.event.row.RowImage;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import io.tributary.mysql.event.xa.XaStatement;
import java.nio.ByteBuffer;

/** Calls every reader method of an event's class, as code may do after a check. */
final class Readers {
    private Readers() {}

    static void readAll(ByteBuffer view, int at, int end, TableShape shape) {
        switch (EventHeader.type(view, at)) {
            case EventType.QUERY_EVENT -> query(view, at, end);
            case EventType.ROTATE_EVENT -> {
                RotateEvent.position(view, at);
                RotateEvent.fileName(view, at, end);
            }
            case EventType.FORMAT_DESCRIPTION_EVENT -> FormatDescriptionEvent.serverVersion(view, at);
            case EventType.XID_EVENT -> XidEvent.xid(view, at);
            case EventType.TABLE_MAP_EVENT -> tableMap(view, at, end);
            case EventType.HEARTBEAT_LOG_EVENT, EventType.HEARTBEAT_LOG_EVENT_V2 -> {
                HeartbeatEvent.fileName(view, at, end);
                HeartbeatEvent.position(view, at, end);
            }
            case EventType.ROWS_QUERY_LOG_EVENT -> RowsQueryEvent.text(view, at, end);
            case EventType.GTID_LOG_EVENT, EventType.ANONYMOUS_GTID_LOG_EVENT -> gtid(view, at, end);
            case EventType.GTID_TAGGED_LOG_EVENT -> taggedGtid(view, at, end);
            case EventType.PREVIOUS_GTIDS_LOG_EVENT -> PreviousGtidsEvent.gtids(view, at, end);
            case EventType.XA_PREPARE_LOG_EVENT -> XaPrepareEvent.xid(view, at);
            case EventType.TRANSACTION_PAYLOAD_EVENT -> payload(view, at, end);
            case EventType.SEQUENCE_EVENT -> {
                SequenceEvent.isCommit(view, at);
                SequenceEvent.value(view, at);
            }
            case EventType.GCN_LOG_EVENT -> {
                if (GcnEvent.isCommit(view, at)) {
                    GcnEvent.value(view, at);
                }
            }
            default -> {
                if (RowsEvent.isRows(EventHeader.type(view, at))) {
                    rows(view, at, end, shape);
                }
            }
        }
    }

    private static void query(ByteBuffer view, int at, int end) {
        QueryEvent.threadId(view, at);
        QueryEvent.execTime(view, at);
        QueryEvent.errorCode(view, at);
        QueryEvent.variable(view, at, 255);
        QueryEvent.commitGcn(view, at);
        QueryEvent.prepareGcn(view, at);
        QueryEvent.schema(view, at);
        QueryEvent.text(view, at, end);
        if (XaStatement.isOne(view, at, end)) {
            XaStatement.parse(view, at, end);
        }
    }

    private static void tableMap(ByteBuffer view, int at, int end) {
        TableMapEvent.tableId(view, at);
        TableMapEvent.flags(view, at);
        TableMapEvent.metadataLength(view, at);
        TableShape shape = TableShape.of(view, at, end);
        for (int i = 0; i < shape.columnCount(); i++) {
            view.get(TableMapEvent.nullBitmapAt(view, at) + i / 8);
            shape.name(i);
        }
        OptionalMetadata.find(view, TableMapEvent.optionalAt(view, at), end, 255);
        TableMapEvent.renamed(view, at, end, new byte[0], new byte[0]);
    }

    private static void gtid(ByteBuffer view, int at, int end) {
        GtidEvent.flags(view, at);
        GtidEvent.sid(view, at, null);
        GtidEvent.gno(view, at);
        GtidEvent.lastCommitted(view, at, end);
        GtidEvent.sequenceNumber(view, at, end);
        GtidEvent.immediateCommitMicros(view, at, end);
        GtidEvent.originalCommitMicros(view, at, end);
        GtidEvent.transactionLength(view, at, end);
        GtidEvent.immediateServerVersion(view, at, end);
        GtidEvent.originalServerVersion(view, at, end);
    }

    private static void taggedGtid(ByteBuffer view, int at, int end) {
        GtidTaggedLogEvent.flags(view, at, end);
        GtidTaggedLogEvent.sid(view, at, end, null);
        GtidTaggedLogEvent.gno(view, at, end);
        GtidTaggedLogEvent.lastCommitted(view, at, end);
        GtidTaggedLogEvent.sequenceNumber(view, at, end);
        GtidTaggedLogEvent.immediateCommitMicros(view, at, end);
        GtidTaggedLogEvent.originalCommitMicros(view, at, end);
        GtidTaggedLogEvent.transactionLength(view, at, end);
        GtidTaggedLogEvent.immediateServerVersion(view, at, end);
        GtidTaggedLogEvent.originalServerVersion(view, at, end);
    }

    private static void payload(ByteBuffer view, int at, int end) {
        try (PayloadUnpacker unpacker = new PayloadUnpacker(1 << 12)) {
            unpacker.unpack(view, at, end, 1 << 20, (inner, from, to) -> EventHeader.check(inner, from));
        }
    }

    private static void rows(ByteBuffer view, int at, int end, TableShape shape) {
        RowsEvent.tableId(view, at);
        RowsEvent.hasAllColumns(view, at);
        RowsEvent.endsStatement(view, at);
        if (shape != null) {
            RowImage.forEach(view, at, end, shape, (before, after) -> {});
        }
    }
}
