package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Integer to DECIMAL: rejects values with too many digits. */
final class IntegerToDecimal implements Conversion {
    private final int bytes;
    private final boolean fromUnsigned;
    private final boolean toUnsigned;
    private final int precision;
    private final int scale;

    IntegerToDecimal(StoredColumn from, StoredColumn to) {
        bytes = from.integerBytes();
        fromUnsigned = from.unsigned();
        toUnsigned = to.unsigned();
        precision = to.precision();
        scale = to.scale();
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        long value = Integers.read(view, from, bytes, fromUnsigned);
        DecimalDigits digits = out.digits();
        digits.set(value, Integers.isHuge(value, bytes, fromUnsigned));
        return !(toUnsigned && digits.isNegative()) && digits.write(precision, scale, out);
    }
}
