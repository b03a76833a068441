package io.tributary.binlog.file;

import io.tributary.mysql.event.EventOrigin;
import java.nio.ByteBuffer;

/**
 * The event that holds a cut: IGNORABLE_LOG_EVENT (28) with flag 0x80, body {@code TCUT}, version u8, then the bytes of
 * {@link io.tributary.common.value.CutCodec} (formats.md, "Cut event").
 */
public final class CutEvent {
    private static final TaggedEvent FORM = TaggedEvent.of("TCUT", 1);

    private CutEvent() {}

    /** As {@link TaggedEvent#length}. */
    public static int length(byte[] cut) {
        return TaggedEvent.length(cut);
    }

    /** As {@link TaggedEvent#write}. */
    public static int write(ByteBuffer buf, int at, EventOrigin origin, long offset, byte[] cut) {
        return FORM.write(buf, at, origin, offset, cut);
    }

    /** Whether an event, of any type, is a cut. */
    public static boolean isCut(ByteBuffer view, int at, int end) {
        return FORM.is(view, at, end) && FORM.hasVersion(view, at);
    }

    /** The bytes for {@link io.tributary.common.value.CutCodec}, as a view. */
    public static ByteBuffer cut(ByteBuffer view, int at, int end) {
        return TaggedEvent.body(view, at, end);
    }
}
