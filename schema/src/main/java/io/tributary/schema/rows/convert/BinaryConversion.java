package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** BINARY, VARBINARY and BLOB to each other: trailing zeros of a BINARY are not stored; rejects values that are too long. */
final class BinaryConversion implements Conversion {
    private final int fromPrefix;
    private final int toPrefix;
    private final int fixedLength;
    private final boolean toFixed;
    private final long most;

    BinaryConversion(StoredColumn from, StoredColumn to) {
        fromPrefix = from.prefix();
        toPrefix = to.prefix();
        fixedLength = from.isFixed() ? from.metadata() : 0;
        toFixed = to.isFixed();
        most = to.mostBytes();
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        int begin = from + fromPrefix;
        int end = to;
        if (end - begin > most) {
            return false;
        }
        while (toFixed && end > begin && view.get(end - 1) == 0) {
            end--;
        }
        int padding = Math.max(0, fixedLength - (end - begin));
        out.putLittle((long) end - begin + padding, toPrefix);
        out.copy(view, begin, end - begin);
        for (int i = 0; i < padding; i++) {
            out.putU8(0);
        }
        return true;
    }
}
