package io.tributary.dumper;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.IgnorableEvent;
import java.nio.ByteBuffer;

/**
 * An event of ours between transactions, which replicas skip: IGNORABLE_LOG_EVENT (28) with flag 0x80, body a tag of four bytes, version u8,
 * then bytes that depend on the tag.
 *
 * @param tag as little endian
 * @param version 0 to 255
 */
record TaggedEvent(int tag, int version) {
    private static final int VERSION_AT = EventHeader.LENGTH + Integer.BYTES;
    private static final int BODY_AT = VERSION_AT + 1;

    /** @param tag four characters of ASCII */
    static TaggedEvent of(String tag, int version) {
        return new TaggedEvent(tag.charAt(0) | tag.charAt(1) << 8 | tag.charAt(2) << 16 | tag.charAt(3) << 24, version);
    }

    /** Bytes of the event with its checksum. */
    static int length(byte[] body) {
        return BODY_AT + body.length + Checksum.LENGTH;
    }

    /**
     * Writes the whole event with log_pos and checksum.
     *
     * @param offset where the event will stand in its file
     * @return the position behind it
     */
    int write(ByteBuffer buf, int at, long timestamp, long serverId, long offset, byte[] body) {
        IgnorableEvent.writeHeader(buf, at, timestamp, serverId, BODY_AT - EventHeader.LENGTH + body.length);
        LittleEndian.putInt(buf, at + EventHeader.LENGTH, tag);
        LittleEndian.putU8(buf, at + VERSION_AT, version);
        buf.put(at + BODY_AT, body);
        return FileHead.finish(buf, at, offset);
    }

    /**
     * Whether an event of any type has this tag, with whatever version.
     *
     * @param end behind the bytes of the event that are there
     */
    boolean is(ByteBuffer view, int at, int end) {
        return end - at > BODY_AT
                && EventHeader.type(view, at) == EventType.IGNORABLE_LOG_EVENT
                && LittleEndian.getInt(view, at + EventHeader.LENGTH) == tag;
    }

    /** Whether one with this tag has this version. */
    boolean hasVersion(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + VERSION_AT) == version;
    }

    /** The bytes behind tag and version; a view. */
    static ByteBuffer body(ByteBuffer view, int at, int end) {
        return view.slice(at + BODY_AT, end - at - BODY_AT);
    }
}
