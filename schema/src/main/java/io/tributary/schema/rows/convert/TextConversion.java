package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Text to text with the same bytes: counts characters; trailing spaces are not stored in CHAR; rejects texts that are too long. */
final class TextConversion implements Conversion {
    private final CharacterSet charset;
    private final int fromPrefix;
    private final int toPrefix;
    private final TextLimit limit;

    TextConversion(StoredColumn from, StoredColumn to) {
        charset = from.charset();
        fromPrefix = from.prefix();
        toPrefix = to.prefix();
        limit = TextLimit.of(from, to);
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        int begin = from + fromPrefix;
        int end = limit.end(charset, view, begin, to);
        if (end < 0) {
            return false;
        }
        out.putLittle((long) end - begin, toPrefix);
        out.copy(view, begin, end - begin);
        return true;
    }
}
