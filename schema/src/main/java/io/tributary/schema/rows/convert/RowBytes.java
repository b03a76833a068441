package io.tributary.schema.rows.convert;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** Collects the bytes of an event: either all of it, or pieces that are passed to an {@link Output} (or only counted). */
public final class RowBytes {
    private static final int PIECE = 64 << 10;
    private static final int MOST_KEPT = 4 << 20;
    /** Maximum bytes of one {@link #room}. */
    static final int MOST_ROOM = PIECE - 1024;

    private final DecimalDigits digits = new DecimalDigits();
    private ByteBuffer buf = ByteBuffer.allocate(PIECE);
    private boolean gathers;
    private Output out;
    private int length;
    private long handedOn;

    /** Begins an event that is kept as a whole. */
    public void gather() {
        begin(null, true);
    }

    /** Begins an event whose bytes are passed on. */
    public void hand(Output output) {
        begin(output, false);
    }

    /** Begins an event of which only the length is needed. */
    public void count() {
        begin(null, false);
    }

    private void begin(Output output, boolean gathering) {
        out = output;
        gathers = gathering;
        length = 0;
        handedOn = 0;
        if (buf.capacity() > MOST_KEPT) {
            buf = ByteBuffer.allocate(PIECE);
        }
    }

    /** Bytes of the event so far. */
    public long total() {
        return handedOn + length;
    }

    /** The collected bytes, from 0 to {@link #total}. */
    public ByteBuffer gathered() {
        return buf;
    }

    /** Scratch memory of conversions. */
    public DecimalDigits digits() {
        return digits;
    }

    /** Passes the remaining bytes on. */
    public void flush() {
        if (!gathers) {
            if (out != null && length > 0) {
                out.write(buf, 0, length);
            }
            handedOn += length;
            length = 0;
        }
    }

    /** Makes room for {@code bytes} bytes in {@link #buffer} at {@link #at}; at most {@link #MOST_ROOM} unless the event is kept as a whole. */
    public void room(int bytes) {
        if (buf.capacity() - length >= bytes) {
            return;
        }
        flush();
        if (buf.capacity() - length < bytes) {
            long wanted = Math.max((long) length + bytes, 2L * buf.capacity());
            ByteBuffer larger = ByteBuffer.allocate((int) Math.min(wanted, Integer.MAX_VALUE - 8));
            larger.put(0, buf, 0, length);
            buf = larger;
        }
    }

    public ByteBuffer buffer() {
        return buf;
    }

    /** The offset of the next byte in {@link #buffer}; {@link #room} changes it. */
    public int at() {
        return length;
    }

    /** Advances after {@code bytes} bytes were put at {@link #at}. */
    public void advance(int bytes) {
        length += bytes;
    }

    public void putU8(int value) {
        room(1);
        LittleEndian.putU8(buf, length++, value);
    }

    /** Writes the lowest bytes of a value, lowest first. */
    public void putLittle(long value, int bytes) {
        room(bytes);
        for (int i = 0; i < bytes; i++) {
            buf.put(length++, (byte) (value >>> 8 * i));
        }
    }

    /** Writes the lowest bytes of a value, highest first. */
    public void putBig(long value, int bytes) {
        room(bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            buf.put(length++, (byte) (value >>> 8 * i));
        }
    }

    public void put(byte[] bytes) {
        if (bytes.length <= MOST_ROOM) {
            room(bytes.length);
            buf.put(length, bytes);
            length += bytes.length;
        } else {
            copy(ByteBuffer.wrap(bytes), 0, bytes.length);
        }
    }

    /** Writes the bytes {@code from..from+bytes-1} of a buffer, without a copy if they are many and are passed on. */
    public void copy(ByteBuffer view, int from, int bytes) {
        if (gathers || bytes <= MOST_ROOM) {
            room(bytes);
            buf.put(length, view, from, bytes);
            length += bytes;
        } else {
            flush();
            if (out != null) {
                out.write(view, from, from + bytes);
            }
            handedOn += bytes;
        }
    }
}
