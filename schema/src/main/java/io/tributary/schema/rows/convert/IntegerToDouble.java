package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Integer to DOUBLE, rounded to the nearest value above 2^53 as in C. */
final class IntegerToDouble implements Conversion {
    private final int bytes;
    private final boolean fromUnsigned;
    private final boolean toUnsigned;

    IntegerToDouble(StoredColumn from, StoredColumn to) {
        bytes = from.integerBytes();
        fromUnsigned = from.unsigned();
        toUnsigned = to.unsigned();
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        long value = Integers.read(view, from, bytes, fromUnsigned);
        boolean huge = Integers.isHuge(value, bytes, fromUnsigned);
        if (toUnsigned && value < 0 && !huge) {
            return false;
        }
        double real = huge ? (value >>> 1 | value & 1) * 2.0 : value;
        out.putLittle(Double.doubleToRawLongBits(real), 8);
        return true;
    }
}
