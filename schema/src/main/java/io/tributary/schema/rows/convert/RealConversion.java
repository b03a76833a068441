package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** FLOAT or DOUBLE to one of the same width or wider: rejects negative values if the target is unsigned. */
final class RealConversion implements Conversion {
    private final boolean fromFloat;
    private final boolean toFloat;
    private final boolean toUnsigned;

    RealConversion(StoredColumn from, StoredColumn to) {
        fromFloat = from.width() == Float.BYTES;
        toFloat = to.width() == Float.BYTES;
        toUnsigned = to.unsigned();
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        long stored = Integers.little(view, from, to);
        double value = fromFloat ? Float.intBitsToFloat((int) stored) : Double.longBitsToDouble(stored);
        if (toUnsigned && value < 0) {
            return false;
        }
        if (fromFloat == toFloat) {
            out.copy(view, from, to - from);
        } else {
            out.putLittle(Double.doubleToRawLongBits(value), 8);
        }
        return true;
    }
}
