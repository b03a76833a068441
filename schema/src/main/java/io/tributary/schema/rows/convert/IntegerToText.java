package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** Integer to CHAR, VARCHAR or TEXT: decimal digits, with the leading zeros of ZEROFILL; rejects values that are too long. */
final class IntegerToText implements Conversion {
    private final int bytes;
    private final boolean unsigned;
    private final int zerofill;
    private final int prefix;
    private final long most;
    private final int unit;
    private final boolean lowFirst;

    IntegerToText(StoredColumn from, StoredColumn to) {
        bytes = from.integerBytes();
        unsigned = from.unsigned();
        zerofill = from.zerofill();
        prefix = to.prefix();
        unit = to.charset().spaceBytes();
        lowFirst = to.charset() == CharacterSet.UTF16LE;
        most = to.isBlob() ? to.mostBytes() / unit : to.mostCharacters();
    }

    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        DecimalDigits digits = out.digits();
        long value = Integers.read(view, from, bytes, unsigned);
        digits.set(value, Integers.isHuge(value, bytes, unsigned));
        int count = Math.max(1, Math.max(digits.wholeDigits(), zerofill));
        int length = count + (digits.isNegative() ? 1 : 0);
        if (length > most) {
            return false;
        }
        out.putLittle((long) length * unit, prefix);
        if (digits.isNegative()) {
            put('-', out);
        }
        for (int i = count - 1; i >= 0; i--) {
            put('0' + digits.whole(i), out);
        }
        return true;
    }

    private void put(int c, RowBytes out) {
        if (lowFirst) {
            out.putLittle(c, unit);
        } else {
            out.putBig(c, unit);
        }
    }
}
