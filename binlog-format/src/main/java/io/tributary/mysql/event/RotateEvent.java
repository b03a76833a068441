package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** ROTATE_EVENT (4): the stream continues in another file: position u64, then the file's name to the end. */
public final class RotateEvent {
    private static final int POSITION_AT = EventHeader.LENGTH;
    private static final int NAME_AT = POSITION_AT + Long.BYTES;

    private RotateEvent() {}

    /** Rejects an event without a file name. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, Long.BYTES + 1, "position and file name");
    }

    /** Offset of the next event in the next file. */
    public static long position(ByteBuffer view, int at) {
        return LittleEndian.getLong(view, at + POSITION_AT);
    }

    /** The next file's name, without a path. */
    public static String fileName(ByteBuffer view, int at, int end) {
        return Text.utf8(view, at + NAME_AT, end);
    }

    /** Bytes of an event without checksum. */
    public static int length(String fileName) {
        return NAME_AT + fileName.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Writes an event without checksum, log_pos 0.
     *
     * @return the offset after it
     */
    public static int write(ByteBuffer buf, int at, EventOrigin origin, String fileName, long position) {
        byte[] name = fileName.getBytes(StandardCharsets.UTF_8);
        int size = NAME_AT + name.length;
        EventHeader.write(buf, at, origin, EventType.ROTATE_EVENT, size);
        LittleEndian.putLong(buf, at + POSITION_AT, position);
        buf.put(at + NAME_AT, name);
        return at + size;
    }

    /**
     * Writes the event that begins a dump and is in no file: timestamp 0 and {@link EventFlags#LOG_EVENT_ARTIFICIAL_F}.
     *
     * @return the offset after it
     */
    public static int writeArtificial(ByteBuffer buf, int at, long serverId, String fileName, long position) {
        int end = write(buf, at, new EventOrigin(0, serverId), fileName, position);
        EventHeader.setFlags(buf, at, EventFlags.LOG_EVENT_ARTIFICIAL_F);
        return end;
    }
}
