package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/** The bytes of a statement, which grow with it. */
final class StatementBytes {
    private static final int LONGEST = Integer.MAX_VALUE - 64;
    /** The end of a text file for some programs. */
    private static final byte CONTROL_Z = 0x1a;

    private final int usual;
    private final boolean isOneLine;
    private byte[] bytes;
    private int size;

    /**
     * Begins with no bytes.
     *
     * @param usual to this capacity it returns after a longer statement
     * @param isOneLine whether texts have no line ends and no other signs that programs change in a file
     */
    StatementBytes(int usual, boolean isOneLine) {
        this.usual = usual;
        this.isOneLine = isOneLine;
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

    /** Moves bytes of a buffer to the end, with a backslash before each quote and backslash, and if it is one line as MySQL writes such signs. */
    void moveEscaped(ByteBuf from, int length) {
        int more = special(from, length);
        reserve(length + more);
        int start = size;
        move(from, length);
        if (more > 0) {
            int to = size + more;
            for (int i = size - 1; i >= start; i--) {
                byte one = bytes[i];
                bytes[--to] = escaped(one);
                if (isSpecial(one, isOneLine)) {
                    bytes[--to] = '\\';
                }
            }
            size += more;
        }
    }

    private int special(ByteBuf view, int length) {
        return special(view, length, isOneLine);
    }

    /** The number of signs in the next bytes of a buffer that get a backslash. */
    static int special(ByteBuf view, int length, boolean isOneLine) {
        int[] count = new int[1];
        view.forEachByte(view.readerIndex(), length, one -> {
            count[0] += isSpecial(one, isOneLine) ? 1 : 0;
            return true;
        });
        return count[0];
    }

    private static boolean isSpecial(byte one, boolean isOneLine) {
        return one == '\'' || one == '\\' || isOneLine && (one == '\n' || one == '\r' || one == 0 || one == CONTROL_Z);
    }

    /** What follows the backslash; other bytes are the same. */
    private byte escaped(byte one) {
        if (!isOneLine) {
            return one;
        }
        return switch (one) {
            case '\n' -> (byte) 'n';
            case '\r' -> (byte) 'r';
            case 0 -> (byte) '0';
            case CONTROL_Z -> (byte) 'Z';
            default -> one;
        };
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
