package io.tributary.testkit.check;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One event of a binlog file.
 *
 * @param file the file's name
 * @param offset its start in the file, 64-bit
 * @param size its size in bytes, with checksum
 * @param bytes header and body without checksum, little-endian, from 0
 */
public record BinlogEvent(String file, long offset, int size, ByteBuffer bytes) {
    static final int HEADER = 19;
    static final int QUERY = 2;
    static final int STOP = 3;
    static final int ROTATE = 4;
    static final int FORMAT_DESCRIPTION = 15;
    static final int XID = 16;
    static final int TABLE_MAP = 19;
    static final int WRITE_ROWS_V1 = 23;
    static final int UPDATE_ROWS_V1 = 24;
    static final int DELETE_ROWS_V1 = 25;
    static final int HEARTBEAT = 27;
    static final int IGNORABLE = 28;
    static final int ROWS_QUERY = 29;
    static final int WRITE_ROWS = 30;
    static final int UPDATE_ROWS = 31;
    static final int DELETE_ROWS = 32;
    static final int GTID = 33;
    static final int ANONYMOUS_GTID = 34;
    static final int PREVIOUS_GTIDS = 35;
    static final int XA_PREPARE = 38;
    static final int PARTIAL_UPDATE_ROWS = 39;
    static final int TRANSACTION_PAYLOAD = 40;
    static final int HEARTBEAT_V2 = 41;
    static final int GTID_TAGGED = 42;
    /** PolarDB-X: a timestamp. */
    static final int SEQUENCE = 80;
    /** PolarDB-X: the first of the types of consensus bookkeeping. */
    static final int CONSENSUS_LOG = 101;
    /** PolarDB-X: a timestamp; the last of its types. */
    static final int GCN_LOG = 105;

    private static final int ARTIFICIAL_FLAG = 0x20;
    private static final int IGNORABLE_FLAG = 0x80;

    public BinlogEvent {
        bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Seconds since 1970. */
    public long timestamp() {
        return bytes.getInt(0) & 0xFFFFFFFFL;
    }

    public int type() {
        return bytes.get(4) & 0xFF;
    }

    public long serverId() {
        return bytes.getInt(5) & 0xFFFFFFFFL;
    }

    /** The low 32 bits of its end position; 0 for an event that is not in a file. */
    public long logPos() {
        return bytes.getInt(13) & 0xFFFFFFFFL;
    }

    public int flags() {
        return bytes.getShort(17) & 0xFFFF;
    }

    /** Whether it is artificial: created for a reader, not in any file. */
    public boolean isArtificial() {
        return (flags() & ARTIFICIAL_FLAG) != 0;
    }

    public boolean isIgnorable() {
        return (flags() & IGNORABLE_FLAG) != 0;
    }

    /** Whether only PolarDB-X data nodes write this type. It contains no rows. */
    boolean isOfDataNode() {
        return type() == SEQUENCE || type() >= CONSENSUS_LOG && type() <= GCN_LOG;
    }

    /** The body after the header, from 0. */
    public ByteBuffer body() {
        return bytes.slice(HEADER, bytes.limit() - HEADER).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** File and offset, for messages. */
    public String place() {
        return file + ":" + offset;
    }
}
