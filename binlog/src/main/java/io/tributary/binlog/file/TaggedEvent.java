package io.tributary.binlog.file;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.IgnorableEvent;
import java.nio.ByteBuffer;

/**
 * A private event between transactions, which replicas skip: IGNORABLE_LOG_EVENT (28) with flag 0x80. Its body is a tag of four bytes, a
 * version u8, and bytes that depend on the tag.
 *
 * @param tag four characters, little endian
 * @param version 0 to 255
 */
record TaggedEvent(int tag, int version) {
    private static final int VERSION_AT = EventHeader.LENGTH + Integer.BYTES;
    private static final int BODY_AT = VERSION_AT + 1;

    /**
     * An event type of this product.
     *
     * @param tag four ASCII characters
     */
    static TaggedEvent of(String tag, int version) {
        return new TaggedEvent(tag.charAt(0) | tag.charAt(1) << 8 | tag.charAt(2) << 16 | tag.charAt(3) << 24, version);
    }

    /** Bytes of the event, including its checksum. */
    static int length(byte[] body) {
        return BODY_AT + body.length + Checksum.LENGTH;
    }

    /**
     * Writes the whole event with log_pos and checksum.
     *
     * @param offset where the event will be in its file
     * @return the position after it
     */
    int write(ByteBuffer buf, int at, EventOrigin origin, long offset, byte[] body) {
        IgnorableEvent.writeHeader(buf, at, origin, BODY_AT - EventHeader.LENGTH + body.length);
        LittleEndian.putInt(buf, at + EventHeader.LENGTH, tag);
        LittleEndian.putU8(buf, at + VERSION_AT, version);
        buf.put(at + BODY_AT, body);
        return FileHead.finish(buf, at, offset);
    }

    /**
     * Whether an event, of any type, has this tag, with any version.
     *
     * @param end position after the bytes of the event that are present
     */
    boolean is(ByteBuffer view, int at, int end) {
        return end - at > BODY_AT
                && EventHeader.type(view, at) == EventType.IGNORABLE_LOG_EVENT
                && LittleEndian.getInt(view, at + EventHeader.LENGTH) == tag;
    }

    /** Whether an event with this tag has this version. */
    boolean hasVersion(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + VERSION_AT) == version;
    }

    /** The bytes after tag and version, as a view. */
    static ByteBuffer body(ByteBuffer view, int at, int end) {
        return view.slice(at + BODY_AT, end - at - BODY_AT);
    }
}
