package io.tributary.mysql.event;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;

/** The checks that all event types share, and the exception that they throw. */
public final class Malformed {
    private Malformed() {}

    /** Makes the exception: it names the event, its position in the shard's file, part was expected and part was found. */
    public static TributaryException event(ByteBuffer view, int at, String expected, String found) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED, name(view, at) + ": expected " + expected + ", found " + found);
    }

    public static String name(ByteBuffer view, int at) {
        if (at < 0 || view.limit() - at < EventHeader.LENGTH) {
            return "binlog event cut off in its header";
        }
        return EventType.name(EventHeader.type(view, at)) + " of server " + EventHeader.serverId(view, at) + ", size "
                + EventHeader.unsignedSize(view, at) + ", log_pos " + EventHeader.logPos(view, at);
    }

    /** Rejects an event that ends before its header and {@code bytes} more. */
    public static void fixedPart(ByteBuffer view, int at, int end, int bytes, String part) {
        if (at < 0 || end > view.limit()) {
            throw event(view, at, "an event within the buffer", at + ".." + end + " of " + view.limit() + " bytes");
        }
        room(view, at, end, at + EventHeader.LENGTH, bytes, part);
    }

    /** Rejects an event that does not have {@code bytes} from {@code from} on. */
    public static void room(ByteBuffer view, int at, int end, int from, long bytes, String part) {
        if (bytes < 0 || from < at || bytes > (long) end - from) {
            throw event(
                    view,
                    at,
                    Long.toUnsignedString(bytes) + " bytes of " + part + " at byte " + (from - at),
                    Math.max(0, end - from) + " before the event's end");
        }
    }

    /** Rejects bytes that are not a length-encoded integer within the event; returns its number of bytes. */
    public static int packed(ByteBuffer view, int at, int end, int from, String part) {
        room(view, at, end, from, 1, part);
        int first = LittleEndian.getU8(view, from);
        int length = PackedInteger.lengthByFirst(first);
        if (length == 0) {
            throw event(view, at, "a length-encoded " + part + " at byte " + (from - at), "first byte " + first);
        }
        room(view, at, end, from, length, part);
        return length;
    }
}
