package io.tributary.schema.rows.convert;

import io.tributary.mysql.event.ColumnType;
import java.nio.ByteBuffer;

/**
 * TIME, DATETIME or TIMESTAMP to one with another number of fraction digits; rejects a value whose truncated digits are not 0:
 * whether ALTER TABLE rounds or truncates them depends on its session (TIME_TRUNCATE_FRACTIONAL).
 */
final class FractionConversion implements Conversion {
    private final boolean isTime;
    private final int whole;
    private final int fromBytes;
    private final int toBytes;
    private final int toUnit;

    FractionConversion(StoredColumn from, StoredColumn to) {
        isTime = from.type() == ColumnType.MYSQL_TYPE_TIME2;
        fromBytes = StoredTime.fractionBytes(from.metadata());
        toBytes = StoredTime.fractionBytes(to.metadata());
        whole = from.width() - fromBytes;
        toUnit = StoredTime.microsOfDigit(to.metadata());
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        if (isTime) {
            return time(view, from, to, out);
        }
        int micros = (int) Integers.big(view, from + whole, to) * StoredTime.microsOfUnit(fromBytes);
        if (micros % toUnit != 0) {
            return false;
        }
        out.putBig(Integers.big(view, from, from + whole), whole);
        out.putBig(micros / StoredTime.microsOfUnit(toBytes), toBytes);
        return true;
    }

    private boolean time(ByteBuffer view, int from, int to, RowBytes out) {
        int bits = 8 * fromBytes;
        long value = Integers.big(view, from, to) - (0x80_0000L << bits);
        long magnitude = Math.abs(value);
        int micros = (int) (magnitude & (1L << bits) - 1) * StoredTime.microsOfUnit(fromBytes);
        if (micros % toUnit != 0) {
            return false;
        }
        out.putBig(StoredTime.time(value < 0, (int) (magnitude >> bits), micros, toBytes), whole + toBytes);
        return true;
    }
}
