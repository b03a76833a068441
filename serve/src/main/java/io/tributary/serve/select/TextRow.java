package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.tributary.mysql.protocol.LengthEncoding;
import java.nio.charset.StandardCharsets;

/** Rows of text result sets: one length-encoded value or NULL for each column. */
final class TextRow {
    private TextRow() {}

    /** The value of a column, null for NULL; the row does not change. */
    static byte[] value(ByteBuf view, int column) {
        ByteBuf in = view.duplicate();
        for (int i = 0; i < column; i++) {
            skip(in);
        }
        LengthEncoding.need(in, 1);
        return isNull(in) ? null : LengthEncoding.readBytes(in);
    }

    /** The value of a column as text, empty for NULL; the row does not change. */
    static String text(ByteBuf view, int column) {
        byte[] value = value(view, column);
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    /** The first columns of a row, as a view. */
    static ByteBuf first(ByteBuf view, int columns) {
        ByteBuf in = view.duplicate();
        for (int i = 0; i < columns; i++) {
            skip(in);
        }
        return view.slice(view.readerIndex(), in.readerIndex() - view.readerIndex());
    }

    private static void skip(ByteBuf in) {
        LengthEncoding.need(in, 1);
        if (isNull(in)) {
            in.skipBytes(1);
            return;
        }
        long length = LengthEncoding.readInteger(in);
        LengthEncoding.need(in, (int) Math.min(Integer.MAX_VALUE, length));
        in.skipBytes((int) length);
    }

    private static boolean isNull(ByteBuf in) {
        return in.getUnsignedByte(in.readerIndex()) == LengthEncoding.NULL_VALUE;
    }

    /** A row of these values. */
    static ByteBuf of(byte[]... values) {
        ByteBuf row = ByteBufAllocator.DEFAULT.buffer();
        for (byte[] value : values) {
            if (value == null) {
                row.writeByte(LengthEncoding.NULL_VALUE);
            } else {
                LengthEncoding.writeBytes(row, value);
            }
        }
        return row;
    }
}
