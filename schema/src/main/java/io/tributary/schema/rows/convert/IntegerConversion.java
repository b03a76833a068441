package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Integer to integer: rejects values out of range. */
final class IntegerConversion implements Conversion {
    private final int fromBytes;
    private final boolean fromUnsigned;
    private final int toBytes;
    private final long least;
    private final long most;
    private final boolean hugeFits;

    IntegerConversion(StoredColumn from, StoredColumn to) {
        fromBytes = from.integerBytes();
        fromUnsigned = from.unsigned();
        toBytes = to.integerBytes();
        int bits = 8 * toBytes;
        least = to.unsigned() ? 0 : Long.MIN_VALUE >> 64 - bits;
        most = to.unsigned() && toBytes < 8 ? (1L << bits) - 1 : Long.MAX_VALUE >> (to.unsigned() ? 0 : 64 - bits);
        hugeFits = to.unsigned() && toBytes == 8;
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        long value = Integers.read(view, from, fromBytes, fromUnsigned);
        boolean fits = Integers.isHuge(value, fromBytes, fromUnsigned) ? hugeFits : value >= least && value <= most;
        if (fits) {
            out.putLittle(value, toBytes);
        }
        return fits;
    }
}
