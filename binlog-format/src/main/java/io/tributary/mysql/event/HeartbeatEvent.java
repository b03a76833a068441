package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A source's sign of life in a dump, never in a file. HEARTBEAT_LOG_EVENT (27): the file's name; the position is the header's
 * log_pos. HEARTBEAT_LOG_EVENT_V2 (41), for readers that request it: fields of type, length, value, all length-encoded: 1 file
 * name, 2 position (length-encoded again), 0 the end (Heartbeat in libbinlogevents/include/codecs/binary.h).
 */
public final class HeartbeatEvent {
    private static final int BODY_AT = EventHeader.LENGTH;
    private static final int FIELD_END = 0;
    private static final int FIELD_FILE_NAME = 1;
    private static final int FIELD_POSITION = 2;

    private HeartbeatEvent() {}

    /** Rejects a truncated event. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, 1, "heartbeat");
        if (!isV2(view, at)) {
            return;
        }
        int from = at + BODY_AT;
        while (from < end) {
            int typeLength = Malformed.packed(view, at, end, from, "field type");
            long type = PackedInteger.get(view, from);
            from += typeLength;
            if (type == FIELD_END) {
                return;
            }
            int lengthLength = Malformed.packed(view, at, end, from, "field length");
            long length = PackedInteger.get(view, from);
            from += lengthLength;
            Malformed.room(view, at, end, from, length, "a field");
            if (type == FIELD_POSITION && Malformed.packed(view, at, end, from, "position") != length) {
                throw Malformed.event(view, at, "a length-encoded position of " + length + " bytes", "another one");
            }
            from += (int) length;
        }
    }

    /** Name of the source's current file; "" if the event has no name. */
    public static String fileName(ByteBuffer view, int at, int end) {
        if (!isV2(view, at)) {
            return Text.utf8(view, at + BODY_AT, end);
        }
        int from = find(view, at, end, FIELD_FILE_NAME);
        return from < 0
                ? ""
                : Text.utf8(
                        view,
                        PackedInteger.end(view, from),
                        PackedInteger.end(view, from) + (int) PackedInteger.get(view, from));
    }

    /** Position after the last event that was sent; in a first-version event its lowest 32 bits. */
    public static long position(ByteBuffer view, int at, int end) {
        int from = isV2(view, at) ? find(view, at, end, FIELD_POSITION) : -1;
        return from < 0 ? EventHeader.logPos(view, at) : PackedInteger.get(view, PackedInteger.end(view, from));
    }

    /** Bytes of a first-version event without checksum. */
    public static int length(String fileName) {
        return BODY_AT + fileName.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * Writes a first-version event without checksum; timestamp 0.
     *
     * @param position after the last event that was sent, below 2^32
     * @return the offset after it
     */
    public static int write(ByteBuffer buf, int at, long serverId, String fileName, long position) {
        byte[] name = fileName.getBytes(StandardCharsets.UTF_8);
        int size = BODY_AT + name.length;
        EventHeader.write(buf, at, new EventOrigin(0, serverId), EventType.HEARTBEAT_LOG_EVENT, size);
        EventHeader.setLogPos(buf, at, position);
        buf.put(at + BODY_AT, name);
        return at + size;
    }

    /** Bytes of a second-version event without checksum. */
    public static int lengthV2(String fileName, long position) {
        int name = fileName.getBytes(StandardCharsets.UTF_8).length;
        return BODY_AT + 4 + PackedInteger.length(name) + name + PackedInteger.length(position);
    }

    /**
     * Writes a second-version event without checksum; timestamp 0, log_pos 0.
     *
     * @param position after the last event that was sent, 64 bits
     * @return the offset after it
     */
    public static int writeV2(ByteBuffer buf, int at, long serverId, String fileName, long position) {
        byte[] name = fileName.getBytes(StandardCharsets.UTF_8);
        int size = lengthV2(fileName, position);
        EventHeader.write(buf, at, new EventOrigin(0, serverId), EventType.HEARTBEAT_LOG_EVENT_V2, size);
        int to = at + BODY_AT;
        LittleEndian.putU8(buf, to, FIELD_FILE_NAME);
        to = PackedInteger.put(buf, to + 1, name.length);
        buf.put(to, name);
        to += name.length;
        LittleEndian.putU8(buf, to, FIELD_POSITION);
        LittleEndian.putU8(buf, to + 1, PackedInteger.length(position));
        to = PackedInteger.put(buf, to + 2, position);
        LittleEndian.putU8(buf, to, FIELD_END);
        return to + 1;
    }

    private static boolean isV2(ByteBuffer view, int at) {
        return EventHeader.type(view, at) == EventType.HEARTBEAT_LOG_EVENT_V2;
    }

    /** Offset of a field's length; -1 if it is absent. */
    private static int find(ByteBuffer view, int at, int end, int wanted) {
        int from = at + BODY_AT;
        while (from < end) {
            long type = PackedInteger.get(view, from);
            from = PackedInteger.end(view, from);
            if (type == wanted) {
                return from;
            }
            if (type == FIELD_END) {
                return -1;
            }
            from = PackedInteger.end(view, from) + (int) PackedInteger.get(view, from);
        }
        return -1;
    }
}
