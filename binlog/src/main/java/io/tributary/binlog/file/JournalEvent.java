package io.tributary.binlog.file;

import io.tributary.mysql.event.EventOrigin;
import java.nio.ByteBuffer;

/**
 * The event that holds a record of the journal: IGNORABLE_LOG_EVENT (28) with flag 0x80, body {@code TSCH}, version u8, then the bytes of
 * {@link io.tributary.common.value.JournalCodec} (formats.md, "Journal event"). It is placed between transactions, as a cut is.
 */
public final class JournalEvent {
    private static final TaggedEvent FORM = TaggedEvent.of("TSCH", 1);

    private JournalEvent() {}

    /** As {@link TaggedEvent#length}. */
    public static int length(byte[] record) {
        return TaggedEvent.length(record);
    }

    /** As {@link TaggedEvent#write}. */
    public static int write(ByteBuffer buf, int at, EventOrigin origin, long offset, byte[] record) {
        return FORM.write(buf, at, origin, offset, record);
    }

    /**
     * Whether an event, of any type, is a record of the journal, of any version.
     *
     * @param end position after the bytes of the event that are present
     */
    public static boolean isJournal(ByteBuffer view, int at, int end) {
        return FORM.is(view, at, end);
    }

    /** Whether this release can read its version. */
    public static boolean isKnown(ByteBuffer view, int at) {
        return FORM.hasVersion(view, at);
    }

    /** The bytes for {@link io.tributary.common.value.JournalCodec}, as a view. */
    public static ByteBuffer record(ByteBuffer view, int at, int end) {
        return TaggedEvent.body(view, at, end);
    }
}
