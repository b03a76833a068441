package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import java.nio.ByteBuffer;

/** The events that Tributary cannot process: each is refused with its own error, never skipped. */
final class RefusedEvents {
    private RefusedEvents() {}

    /**
     * Accepts an event that its writer marked as ignorable.
     *
     * @throws TributaryException for any other event, with its meaning
     */
    static void requireIgnorable(ByteBuffer view, int at, int type) {
        switch (EventType.category(type)) {
            case ANONYMOUS_GTID ->
                throw new TributaryException(
                        ErrorCode.SHARD_UNFIT,
                        "expected transactions with GTIDs, found an anonymous one: run SET GLOBAL gtid_mode = ON and FLUSH BINARY"
                                + " LOGS on the shard, or name the file in shard.<name>.skip.anonymous and run tributary reload; its"
                                + " rows are not in the global binlog (docs/operations.md, A transaction without a GTID)");
            case LOAD_DATA -> throw StatementReader.statementFormat("LOAD DATA");
            case ENCRYPTION ->
                throw new TributaryException(
                        ErrorCode.EVENT_UNKNOWN,
                        "expected events that the server has decrypted, found START_ENCRYPTION_EVENT: the events"
                                + " after it are encrypted as in the file on the shard's disk");
            case INCIDENT ->
                throw new TributaryException(
                        ErrorCode.ORDER_CONTRADICTION,
                        "expected a complete binlog, found an INCIDENT event: the shard reports that it lost events");
            default -> {
                if ((EventHeader.flags(view, at) & EventFlags.LOG_EVENT_IGNORABLE_F) == 0) {
                    throw new TributaryException(
                            ErrorCode.EVENT_UNKNOWN,
                            "expected an event of MySQL 5.7 to 9.x or MariaDB 10.5 and later, found "
                                    + EventType.name(type) + " of " + EventHeader.size(view, at) + " bytes");
                }
            }
        }
    }
}
