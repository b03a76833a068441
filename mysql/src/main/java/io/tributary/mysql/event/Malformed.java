package io.tributary.mysql.event;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;

/** The checks that every event type shares, and the one exception that they throw. */
final class Malformed {
    private Malformed() {}

    /** What is to be thrown: names the event, its place in the shard's file, what was expected and what was found. */
    static TributaryException event(ByteBuffer view, int at, String expected, String found) {
        return new TributaryException(
                ErrorCode.EVENT_MALFORMED, name(view, at) + ": expected " + expected + ", found " + found);
    }

    static String name(ByteBuffer view, int at) {
        if (at < 0 || view.limit() - at < EventHeader.LENGTH) {
            return "binlog event cut off in its header";
        }
        return EventType.name(EventHeader.type(view, at)) + " of server " + EventHeader.serverId(view, at) + ", size "
                + LittleEndian.getU32(view, at + EventHeader.SIZE_AT) + ", log_pos " + EventHeader.logPos(view, at);
    }

    /** Refuses an event that ends before its header and {@code bytes} more. */
    static void fixedPart(ByteBuffer view, int at, int end, int bytes, String what) {
        if (at < 0 || end > view.limit()) {
            throw event(view, at, "an event within the buffer", at + ".." + end + " of " + view.limit() + " bytes");
        }
        room(view, at, end, at + EventHeader.LENGTH, bytes, what);
    }

    /** Refuses an event that has not {@code bytes} from {@code from} on. */
    static void room(ByteBuffer view, int at, int end, int from, long bytes, String what) {
        if (bytes < 0 || from < at || bytes > (long) end - from) {
            throw event(
                    view,
                    at,
                    Long.toUnsignedString(bytes) + " bytes of " + what + " at byte " + (from - at),
                    Math.max(0, end - from) + " before the event's end");
        }
    }

    /** Refuses what is no length-encoded integer within the event; how many bytes it takes. */
    static int packed(ByteBuffer view, int at, int end, int from, String what) {
        room(view, at, end, from, 1, what);
        int first = LittleEndian.getU8(view, from);
        int length = PackedInteger.lengthByFirst(first);
        if (length == 0) {
            throw event(view, at, "a length-encoded " + what + " at byte " + (from - at), "first byte " + first);
        }
        room(view, at, end, from, length, what);
        return length;
    }
}
