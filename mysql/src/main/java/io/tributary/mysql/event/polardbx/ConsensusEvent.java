package io.tributary.mysql.event.polardbx;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.Malformed;
import java.nio.ByteBuffer;

/**
 * CONSENSUS_LOG_EVENT (101) of a PolarDB-X data node and its companions 102 (the index before the file), 103 (members) and 104 (empty):
 * bookkeeping of the data node's replicas. They contain nothing about transactions, so their content is not read.
 */
public final class ConsensusEvent {
    private ConsensusEvent() {}

    /** Rejects only a truncated header; accepts any content. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 0, "header");
    }

    /** Bytes of an event without checksum. */
    public static int length(int bodyLength) {
        return EventHeader.LENGTH + bodyLength;
    }

    /** Writes the header of an event without checksum, log_pos 0; the caller writes the content after it. */
    public static void writeHeader(ByteBuffer buf, int at, long timestamp, long serverId, int type, int bodyLength) {
        EventHeader.write(buf, at, timestamp, type, serverId, length(bodyLength), 0, 0);
    }
}
