package io.tributary.schema.rows.convert;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** Text of another character set to utf8mb3 or utf8mb4: rejects characters that do not exist there, and texts that are too long. */
final class TextTranscoding implements Conversion {
    private static final int MOST_GROWTH = 4;

    private final CharacterTable table;
    private final CharacterSet charset;
    private final int fromPrefix;
    private final int toPrefix;
    private final TextLimit limit;
    private final boolean toMb3;

    TextTranscoding(StoredColumn from, StoredColumn to, CharacterTable table) {
        this.table = table;
        this.charset = from.charset();
        this.fromPrefix = from.prefix();
        this.toPrefix = to.prefix();
        this.limit = TextLimit.of(from, to);
        this.toMb3 = to.charset() == CharacterSet.UTF8MB3;
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        int begin = from + fromPrefix;
        int end = end(view, begin, to);
        if (end < 0) {
            return false;
        }
        long length = length(view, begin, end);
        if (length < 0 || length > limit.bytes()) {
            return false;
        }
        out.putLittle(length, toPrefix);
        int at = begin;
        while (at < end) {
            int left = Math.min(end - at, RowBytes.MOST_ROOM / MOST_GROWTH);
            at = write(view, at, at + left, end, out);
        }
        return true;
    }

    /** The end of the text by the number of characters, or of spaces that may be removed. */
    private int end(ByteBuffer view, int begin, int to) {
        if (limit.characters() != Long.MAX_VALUE) {
            return limit.end(charset, view, begin, to);
        }
        int end = to;
        long length = length(view, begin, end);
        int space = charset.spaceBytes();
        int content = charset.withoutSpaces(view, begin, end);
        while (limit.cutsSpaces() && length > limit.bytes() && end > content) {
            end -= space;
            length--;
        }
        return end;
    }

    /** Bytes in the target; -1 if a character does not exist there. */
    private long length(ByteBuffer view, int begin, int end) {
        long length = 0;
        for (int at = begin; at < end; ) {
            int next = table.next(view, at, end);
            if (next < 0) {
                return -1;
            }
            int point = CharacterTable.point(next);
            if (toMb3 && point > 0xffff) {
                return -1;
            }
            length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
            at += CharacterTable.bytes(next);
        }
        return length;
    }

    private int write(ByteBuffer view, int begin, int stop, int end, RowBytes out) {
        out.room((stop - begin) * MOST_GROWTH + MOST_GROWTH);
        ByteBuffer buf = out.buffer();
        int start = out.at();
        int put = start;
        int at = begin;
        while (at < stop) {
            int next = table.next(view, at, end);
            int point = CharacterTable.point(next);
            if (point < 0x80) {
                buf.put(put++, (byte) point);
            } else if (point < 0x800) {
                buf.put(put++, (byte) (0xc0 | point >> 6));
                buf.put(put++, (byte) (0x80 | point & 0x3f));
            } else if (point < 0x1_0000) {
                LittleEndian.putU24(
                        buf, put, 0xe0 | point >> 12 | (0x80 | point >> 6 & 0x3f) << 8 | (0x80 | point & 0x3f) << 16);
                put += 3;
            } else {
                buf.put(put++, (byte) (0xf0 | point >> 18));
                buf.put(put++, (byte) (0x80 | point >> 12 & 0x3f));
                buf.put(put++, (byte) (0x80 | point >> 6 & 0x3f));
                buf.put(put++, (byte) (0x80 | point & 0x3f));
            }
            at += CharacterTable.bytes(next);
        }
        out.advance(put - start);
        return at;
    }
}
