package io.tributary.mysql.event;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import java.nio.ByteBuffer;

/** Checks an event by its type. */
final class Events {
    private Events() {}

    /**
     * Runs the check of the event's class, after which no reader method leaves the event. The header must have been checked. Types
     * of statement format, of groups and of incidents have no class and are accepted.
     *
     * @param end offset after the event without its checksum
     * @throws TributaryException {@code EVENT_MALFORMED}, or {@code EVENT_UNKNOWN} for a type that is not in {@link EventType} and
     *     not marked as ignorable
     */
    static void check(ByteBuffer view, int at, int end) {
        switch (EventHeader.type(view, at)) {
            case EventType.QUERY_EVENT -> QueryEvent.check(view, at, end);
            case EventType.STOP_EVENT -> StopEvent.check(view, at, end);
            case EventType.ROTATE_EVENT -> RotateEvent.check(view, at, end);
            case EventType.FORMAT_DESCRIPTION_EVENT -> FormatDescriptionEvent.check(view, at, end);
            case EventType.XID_EVENT -> XidEvent.check(view, at, end);
            case EventType.TABLE_MAP_EVENT -> TableMapEvent.check(view, at, end);
            case EventType.HEARTBEAT_LOG_EVENT, EventType.HEARTBEAT_LOG_EVENT_V2 -> HeartbeatEvent.check(view, at, end);
            case EventType.IGNORABLE_LOG_EVENT -> IgnorableEvent.check(view, at, end);
            case EventType.ROWS_QUERY_LOG_EVENT -> RowsQueryEvent.check(view, at, end);
            case EventType.GTID_LOG_EVENT, EventType.ANONYMOUS_GTID_LOG_EVENT -> GtidEvent.check(view, at, end);
            case EventType.GTID_TAGGED_LOG_EVENT -> GtidTaggedLogEvent.check(view, at, end);
            case EventType.PREVIOUS_GTIDS_LOG_EVENT -> PreviousGtidsEvent.check(view, at, end);
            case EventType.XA_PREPARE_LOG_EVENT -> XaPrepareEvent.check(view, at, end);
            case EventType.TRANSACTION_PAYLOAD_EVENT -> TransactionPayloadEvent.check(view, at, end);
            case EventType.SEQUENCE_EVENT -> SequenceEvent.check(view, at, end);
            case EventType.GCN_LOG_EVENT -> GcnEvent.check(view, at, end);
            default -> checkOther(view, at, end);
        }
    }

    private static void checkOther(ByteBuffer view, int at, int end) {
        int type = EventHeader.type(view, at);
        Malformed.fixedPart(view, at, end, 0, "header");
        if (RowsEvent.isRows(type)) {
            RowsEvent.check(view, at, end);
        } else if (EventType.category(type) == EventCategory.UNSUPPORTED
                && (EventHeader.flags(view, at) & EventFlags.LOG_EVENT_IGNORABLE_F) == 0) {
            throw new TributaryException(
                    ErrorCode.EVENT_UNKNOWN,
                    Malformed.name(view, at) + ": expected one of the types of MySQL 5.7 to 9.x, found " + type);
        }
    }
}
