package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/** The bytes of a statement, which grow with it. */
final class StatementBytes {
    private static final int LONGEST = Integer.MAX_VALUE - 64;

    private final int usual;
    private byte[] bytes;
    private int size;

    /** @param usual to this capacity it returns after a longer statement */
    StatementBytes(int usual) {
        this.usual = usual;
        this.bytes = new byte[usual];
    }

    int size() {
        return size;
    }

    void add(byte[] text) {
        reserve(text.length);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
    }

    void add(char sign) {
        reserve(1);
        bytes[size++] = (byte) sign;
    }

    /** Moves bytes of a buffer to the end. */
    void move(ByteBuf from, int length) {
        reserve(length);
        from.readBytes(bytes, size, length);
        size += length;
    }

    /** Moves bytes of a buffer to the end, and a backslash before each quote and backslash in them. */
    void moveEscaped(ByteBuf from, int length) {
        int more = special(from, length);
        reserve(length + more);
        int start = size;
        move(from, length);
        if (more > 0) {
            int to = size + more;
            for (int i = size - 1; i >= start; i--) {
                byte one = bytes[i];
                bytes[--to] = one;
                if (isSpecial(one)) {
                    bytes[--to] = '\\';
                }
            }
            size += more;
        }
    }

    /** The number of quotes and backslashes in the next bytes of a buffer. */
    static int special(ByteBuf view, int length) {
        int[] count = new int[1];
        view.forEachByte(view.readerIndex(), length, one -> {
            count[0] += isSpecial(one) ? 1 : 0;
            return true;
        });
        return count[0];
    }

    private static boolean isSpecial(byte one) {
        return one == '\'' || one == '\\';
    }

    /** Whether bytes from an offset to the end include a letter e. */
    boolean hasExponent(int from) {
        for (int i = from; i < size; i++) {
            if (bytes[i] == 'e') {
                return true;
            }
        }
        return false;
    }

    /** Whether the bytes from an offset to the end are the text 0. */
    boolean isZero(int from) {
        return size == from + 1 && bytes[from] == '0';
    }

    /** Appends bytes of another statement from an offset to its end. */
    void addTail(StatementBytes other, int from) {
        int length = other.size - from;
        reserve(length);
        System.arraycopy(other.bytes, from, bytes, size, length);
        size += length;
    }

    void cut(int to) {
        size = to;
    }

    /** A view of the whole statement: valid until the next change. */
    ByteBuf view() {
        return Unpooled.wrappedBuffer(bytes, 0, size);
    }

    void clear() {
        size = 0;
        if (bytes.length > 4 * usual) {
            bytes = new byte[usual];
        }
    }

    /** Makes room for more bytes; a long value is then added without another copy of the whole. */
    void reserve(int more) {
        if (more > bytes.length - size) {
            long wanted = Math.max((long) size + more, Math.min(2L * bytes.length, LONGEST));
            if (wanted > LONGEST) {
                throw new StatementTooLongException();
            }
            bytes = Arrays.copyOf(bytes, (int) wanted);
        }
    }
}
