package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/**
 * The 19-byte header of every event: timestamp u32, type u8, server_id u32, event_size u32, log_pos u32, flags u16
 * (manual "Binary Log Event Header", libbinlogevents/include/binlog_event.h).
 */
public final class EventHeader {
    /** Bytes of a header. */
    public static final int LENGTH = 19;
    /** The first four bytes of a binlog file, as a little-endian integer. */
    public static final int FILE_MAGIC = 0x6e69_62fe;
    /** Bytes of {@link #FILE_MAGIC}, which is also the offset of a file's first event. */
    public static final int FILE_MAGIC_LENGTH = 4;

    private static final long OFFSETS = 1L << 32; // that differ in 32 bits
    private static final int TYPE_AT = 4;
    private static final int SERVER_ID_AT = 5;
    private static final int SIZE_AT = 9;
    private static final int LOG_POS_AT = 13;
    private static final int FLAGS_AT = 17;

    private EventHeader() {}

    /** Rejects a truncated header, and an event that does not end before the buffer's limit. */
    public static void check(ByteBuffer view, int at) {
        int there = view.limit() - at;
        if (at < 0 || there < LENGTH) {
            throw Malformed.event(view, at, "a header of 19 bytes", there + " bytes");
        }
        int size = size(view, at);
        if (size < LENGTH || size > there) {
            throw Malformed.event(view, at, "a size of 19.." + there + " bytes", Long.toString(unsignedSize(view, at)));
        }
    }

    /** Seconds since 1970, 0..2^32-1; 0 in artificial events. */
    public static long timestamp(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at);
    }

    /** One of {@link EventType}. */
    public static int type(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + TYPE_AT);
    }

    /** The server that wrote it first, 0..2^32-1. */
    public static long serverId(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at + SERVER_ID_AT);
    }

    /** Bytes of the whole event with header and, if it has one, checksum; negative above 2 GiB, which check rejects. */
    public static int size(ByteBuffer view, int at) {
        return LittleEndian.getInt(view, at + SIZE_AT);
    }

    /** As {@link #size}, 0..2^32-1. */
    public static long unsignedSize(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at + SIZE_AT);
    }

    /** Offset after the event, including the checksum. */
    public static int end(ByteBuffer view, int at) {
        return at + size(view, at);
    }

    /** Offset after the event in its binlog file, modulo 2^32; 0 in artificial events and within a compressed payload. */
    public static long logPos(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at + LOG_POS_AT);
    }

    /**
     * The offset in its file where an event ends. An event has only the lower 32 bits of it.
     *
     * @param before an offset before the event, at most 4 GiB before its end
     * @param logPos see {@link #logPos}; 0 in artificial events, which are in no file: then the result is {@code before}
     */
    public static long endOffset(long before, long logPos) {
        if (logPos == 0) {
            return before;
        }
        long end = before & -OFFSETS | logPos;
        return end < before ? end + OFFSETS : end;
    }

    /** Bits of {@link EventFlags}. */
    public static int flags(ByteBuffer view, int at) {
        return LittleEndian.getU16(view, at + FLAGS_AT);
    }

    /** Sets seconds since 1970, 0..2^32-1. */
    public static void setTimestamp(ByteBuffer buf, int at, long seconds) {
        LittleEndian.putU32(buf, at, seconds);
    }

    /** Sets one of {@link EventType}. */
    public static void setType(ByteBuffer buf, int at, int type) {
        LittleEndian.putU8(buf, at + TYPE_AT, type);
    }

    /** Sets the server id, 0..2^32-1. */
    public static void setServerId(ByteBuffer buf, int at, long serverId) {
        LittleEndian.putU32(buf, at + SERVER_ID_AT, serverId);
    }

    /** Sets the bytes of the whole event, checksum included. */
    public static void setSize(ByteBuffer buf, int at, int size) {
        LittleEndian.putInt(buf, at + SIZE_AT, size);
    }

    /** Writes the lowest 32 bits, as MySQL does in files larger than 4 GiB. */
    public static void setLogPos(ByteBuffer buf, int at, long logPos) {
        LittleEndian.putU32(buf, at + LOG_POS_AT, logPos);
    }

    /** Sets all 16 bits. */
    public static void setFlags(ByteBuffer buf, int at, int flags) {
        LittleEndian.putU16(buf, at + FLAGS_AT, flags);
    }

    /** Sets timestamp and server_id. */
    static void setOrigin(ByteBuffer buf, int at, EventOrigin origin) {
        setTimestamp(buf, at, origin.timestamp());
        setServerId(buf, at, origin.serverId());
    }

    /** Writes a whole header with log_pos 0 and flags 0. */
    public static void write(ByteBuffer buf, int at, EventOrigin origin, int type, int size) {
        setOrigin(buf, at, origin);
        setType(buf, at, type);
        setSize(buf, at, size);
        setLogPos(buf, at, 0);
        setFlags(buf, at, 0);
    }
}
