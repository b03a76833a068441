package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/**
 * DECIMAL to DECIMAL: rounds digits after the decimal point, halves away from zero, as ALTER TABLE does; rejects values with too many digits
 * before it.
 */
final class DecimalConversion implements Conversion {
    private final int fromPrecision;
    private final int fromScale;
    private final int toPrecision;
    private final int toScale;
    private final boolean toUnsigned;

    DecimalConversion(StoredColumn from, StoredColumn to) {
        fromPrecision = from.precision();
        fromScale = from.scale();
        toPrecision = to.precision();
        toScale = to.scale();
        toUnsigned = to.unsigned();
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        DecimalDigits digits = out.digits();
        digits.read(view, from, fromPrecision, fromScale);
        return !(toUnsigned && digits.isNegative()) && digits.write(toPrecision, toScale, out);
    }
}
