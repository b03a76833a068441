package io.tributary.dumper;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.IgnorableEvent;
import java.nio.ByteBuffer;

/**
 * The event that holds a record of the journal: IGNORABLE_LOG_EVENT (28) with flag 0x80, body {@code TSCH}, version u8, then the bytes of
 * {@link io.tributary.common.value.JournalCodec} (formats.md, "Journal event"). It stands between transactions, as a cut does.
 */
public final class JournalEvent {
    private static final int MAGIC = 'T' | 'S' << 8 | 'C' << 16 | 'H' << 24;
    private static final int VERSION = 1;
    private static final int VERSION_AT = EventHeader.LENGTH + Integer.BYTES;
    private static final int RECORD_AT = VERSION_AT + 1;

    private JournalEvent() {}

    /** Bytes of the event with its checksum. */
    public static int length(byte[] record) {
        return RECORD_AT + record.length + Checksum.LENGTH;
    }

    /**
     * Writes the whole event with log_pos and checksum.
     *
     * @param offset where the event will stand in its file
     * @return the position behind it
     */
    public static int write(ByteBuffer buf, int at, long timestamp, long serverId, long offset, byte[] record) {
        IgnorableEvent.writeHeader(buf, at, timestamp, serverId, RECORD_AT - EventHeader.LENGTH + record.length);
        LittleEndian.putInt(buf, at + EventHeader.LENGTH, MAGIC);
        LittleEndian.putU8(buf, at + VERSION_AT, VERSION);
        buf.put(at + RECORD_AT, record);
        return FileHead.finish(buf, at, offset);
    }

    /**
     * Whether an event of any type is a record of the journal, of whatever version.
     *
     * @param end behind the bytes of the event that are there
     */
    public static boolean isJournal(ByteBuffer view, int at, int end) {
        return end - at > RECORD_AT
                && EventHeader.type(view, at) == EventType.IGNORABLE_LOG_EVENT
                && LittleEndian.getInt(view, at + EventHeader.LENGTH) == MAGIC;
    }

    /** Whether this version can read it. */
    public static boolean isKnown(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + VERSION_AT) == VERSION;
    }

    /** The bytes for {@link io.tributary.common.value.JournalCodec}; a view. */
    public static ByteBuffer record(ByteBuffer view, int at, int end) {
        return view.slice(at + RECORD_AT, end - at - RECORD_AT);
    }
}
