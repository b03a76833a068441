package io.tributary.dumper;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.IgnorableEvent;
import java.nio.ByteBuffer;

/**
 * The event that holds a cut: IGNORABLE_LOG_EVENT (28) with flag 0x80, body {@code TCUT}, version u8, then the bytes of
 * {@link io.tributary.common.value.CutCodec} (formats.md, "Cut event").
 */
public final class CutEvent {
    private static final int MAGIC = 'T' | 'C' << 8 | 'U' << 16 | 'T' << 24;
    private static final int VERSION = 1;
    private static final int VERSION_AT = EventHeader.LENGTH + Integer.BYTES;
    private static final int CUT_AT = VERSION_AT + 1;

    private CutEvent() {}

    /** Bytes of the event with its checksum. */
    public static int length(byte[] cut) {
        return CUT_AT + cut.length + Checksum.LENGTH;
    }

    /**
     * Writes the whole event with log_pos and checksum.
     *
     * @param offset where the event will stand in its file
     * @return the position behind it
     */
    public static int write(ByteBuffer buf, int at, long timestamp, long serverId, long offset, byte[] cut) {
        IgnorableEvent.writeHeader(buf, at, timestamp, serverId, CUT_AT - EventHeader.LENGTH + cut.length);
        LittleEndian.putInt(buf, at + EventHeader.LENGTH, MAGIC);
        LittleEndian.putU8(buf, at + VERSION_AT, VERSION);
        buf.put(at + CUT_AT, cut);
        return FileHead.finish(buf, at, offset);
    }

    /** Whether an event of any type is a cut. */
    public static boolean isCut(ByteBuffer view, int at, int end) {
        return EventHeader.type(view, at) == EventType.IGNORABLE_LOG_EVENT
                && end - at > CUT_AT
                && LittleEndian.getInt(view, at + EventHeader.LENGTH) == MAGIC
                && LittleEndian.getU8(view, at + VERSION_AT) == VERSION;
    }

    /** The bytes for {@link io.tributary.common.value.CutCodec}; a view. */
    public static ByteBuffer cut(ByteBuffer view, int at, int end) {
        return view.slice(at + CUT_AT, end - at - CUT_AT);
    }
}
