package io.tributary.schema.rows.convert;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;

/** DATE to DATETIME: at 00:00:00. */
record DateToDatetime(int toBytes) implements Conversion {
    @Override
    public boolean convert(ByteBuffer view, int from, int to, RowBytes out) {
        int date = LittleEndian.getU24(view, from);
        out.putBig(StoredTime.datetime(date >> 9, date >> 5 & 15, date & 31, 0), 5);
        out.putBig(0, toBytes - 5);
        return true;
    }
}
