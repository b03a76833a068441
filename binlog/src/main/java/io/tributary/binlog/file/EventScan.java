package io.tributary.binlog.file;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A walk over the events of one of this product's own files. It checks each event before it returns it: size, log_pos, checksum. Damage
 * ends the walk, as the end of the file does. No content of the file makes it throw.
 */
public final class EventScan {
    private static final int FIRST_WINDOW = 1 << 20;
    private static final int LARGEST_WHOLE = 1 << 28;
    private static final int SIZE_AT = 9;

    private final ReadableBytes source;
    private final long limit;
    private final CRC32 crc = new CRC32();
    private ByteBuffer window;
    private long windowAt;
    private int filled;
    private long at;
    private long next;
    private String problem;

    /**
     * @param from offset of an event
     * @param limit where to stop, at most the source's size
     */
    public EventScan(ReadableBytes source, long from, long limit) {
        this.source = source;
        this.limit = limit;
        this.next = from;
        this.windowAt = from;
        this.window = ByteBuffer.allocate((int) Math.max(EventHeader.LENGTH, Math.min(FIRST_WINDOW, limit - from)));
    }

    /** Moves to the next event; false at the end or when the next event is damaged. */
    public boolean next() throws IOException {
        at = next;
        if (problem != null || at >= limit) {
            return false;
        }
        if (limit - at < EventHeader.LENGTH + Checksum.LENGTH) {
            return damaged("a complete event", (limit - at) + " bytes");
        }
        load(EventHeader.LENGTH);
        long size = LittleEndian.getU32(window, viewAt() + SIZE_AT);
        if (size < EventHeader.LENGTH + Checksum.LENGTH || size > limit - at) {
            return damaged("an event of at most " + (limit - at) + " bytes", size + " bytes");
        }
        next = at + size;
        if (EventHeader.logPos(window, viewAt()) != (next & 0xffff_ffffL)) {
            return damaged("log_pos " + next, "log_pos " + EventHeader.logPos(window, viewAt()));
        }
        return isChecksumRight(size) || damaged("a matching checksum", "another one");
    }

    private boolean isChecksumRight(long size) throws IOException {
        int type = EventHeader.type(window, viewAt());
        boolean read = type == EventType.IGNORABLE_LOG_EVENT || type == EventType.PREVIOUS_GTIDS_LOG_EVENT;
        crc.reset();
        if (size <= FIRST_WINDOW || read && size <= LARGEST_WHOLE) {
            load((int) size);
            int length = (int) size - Checksum.LENGTH;
            crc.update(window.array(), viewAt(), length);
            return (int) crc.getValue() == LittleEndian.getInt(window, viewAt() + length);
        }
        ByteBuffer piece = ByteBuffer.allocate(FIRST_WINDOW);
        long end = next - Checksum.LENGTH;
        for (long from = at; from < end; from += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), end - from));
            read(piece, from);
            crc.update(piece.array(), 0, piece.limit());
        }
        piece.clear().limit(Checksum.LENGTH);
        read(piece, end);
        return (int) crc.getValue() == LittleEndian.getInt(piece, 0);
    }

    /** Loads this many bytes, from the event's first byte on, into the window if they are not there yet. */
    private void load(int bytes) throws IOException {
        if (at >= windowAt && at + bytes <= windowAt + filled) {
            return;
        }
        if (bytes > window.capacity()) {
            window = ByteBuffer.allocate(bytes);
        }
        window.clear().limit((int) Math.min(window.capacity(), limit - at));
        read(window, at);
        windowAt = at;
        filled = window.limit();
    }

    private void read(ByteBuffer into, long from) throws IOException {
        while (into.hasRemaining()) {
            if (source.read(into, from + into.position()) < 0) {
                throw new IOException("file ended at " + (from + into.position()) + " while it was read to " + limit);
            }
        }
    }

    private boolean damaged(String expected, String found) {
        problem = "expected " + expected + " at offset " + at + ", found " + found;
        next = at;
        return false;
    }

    /** Offset of the event. */
    public long at() {
        return at;
    }

    /** Offset after the event, including its checksum. */
    public long end() {
        return next;
    }

    public int type() {
        return EventHeader.type(window, viewAt());
    }

    /** Whether the event is a cut. */
    public boolean isCut() {
        return CutEvent.isCut(view(), viewAt(), viewEnd());
    }

    /** The bytes of a cut for {@link io.tributary.common.value.CutCodec}, as a view that is valid until the next event. */
    public ByteBuffer cut() {
        return CutEvent.cut(view(), viewAt(), viewEnd());
    }

    /** Valid until the next event. Holds the whole event if it is a cut or previous GTIDs, or has at most 1 MiB. */
    public ByteBuffer view() {
        return window;
    }

    /** Where the event begins in {@link #view()}. */
    public int viewAt() {
        return (int) (at - windowAt);
    }

    /** Where it ends in {@link #view()}, without its checksum. */
    public int viewEnd() {
        return (int) (next - windowAt) - Checksum.LENGTH;
    }

    /** Why the walk ended before the limit; empty when it did not. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }
}
