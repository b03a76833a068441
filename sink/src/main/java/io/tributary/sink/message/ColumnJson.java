package io.tributary.sink.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.common.io.LittleEndian;
import io.tributary.replay.row.JsonString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes the values of columns as JSON. For one thread; values must not be NULL. */
public final class ColumnJson {
    private final ByteBuf scratch = Unpooled.buffer();

    /** Appends the text of {@link ChangeColumn#appendText} as a string. */
    public void text(ByteBuf out, ChangeColumn column, RowImage image) {
        switch (column.kind()) {
            case TEXT -> {
                if (column.isUtf8()) {
                    JsonString.quoted(out, image.view(), column.at(image), column.length(image));
                } else {
                    JsonString.quoted(out, column.characters(image));
                }
            }
            case JSON -> {
                scratch.clear();
                column.appendText(scratch, image);
                JsonString.quoted(
                        out, ByteBuffer.wrap(scratch.array(), 0, scratch.writerIndex()), 0, scratch.writerIndex());
            }
            case ENUM, SET -> JsonString.quoted(out, column.labels(image));
            default -> {
                out.writeByte('"');
                column.appendText(out, image);
                out.writeByte('"');
            }
        }
    }

    /** Appends the bits of an integer, BIT, ENUM, SET or YEAR as a number, of a column that is not signed. */
    public static void unsigned(ByteBuf out, ChangeColumn column, RowImage image) {
        ByteBufUtil.writeAscii(out, Long.toUnsignedString(column.integer(image)));
    }

    /** Appends bytes as a string in Base64. */
    public static void base64(ByteBuf out, byte[] value) {
        out.writeByte('"');
        out.writeBytes(Base64.getEncoder().encode(value));
        out.writeByte('"');
    }

    /** The characters of a TEXT value in UTF-8. */
    public static byte[] utf8(ChangeColumn column, RowImage image) {
        return column.isUtf8() ? column.bytes(image) : column.characters(image).getBytes(StandardCharsets.UTF_8);
    }

    /** The text of a VECTOR: {@code [1.0,-2.5]}, each number with digits that give it back. */
    public static String vector(ChangeColumn column, RowImage image) {
        StringBuilder text = new StringBuilder("[");
        int end = column.at(image) + column.length(image);
        for (int at = column.at(image); at < end; at += Float.BYTES) {
            text.append(text.length() == 1 ? "" : ",")
                    .append(Float.intBitsToFloat(LittleEndian.getInt(image.view(), at)));
        }
        return text.append(']').toString();
    }
}
