package io.tributary.schema.rows.convert;

import java.nio.ByteBuffer;

/** BIT to a wider one: with leading zeros. */
record BitConversion(int fromBytes, int toBytes) implements Conversion {
    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        out.putBig(Integers.big(view, from, to), toBytes);
        return true;
    }
}
