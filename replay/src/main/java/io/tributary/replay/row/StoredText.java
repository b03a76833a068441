package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Values of key columns in rows events, as the texts that {@link RowText#value} makes a server return for them. */
public final class StoredText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    /** Characters of the longest usual number or time. */
    private static final int LONGEST = 32;

    private StoredText() {}

    /**
     * The text of a value.
     *
     * @param column its definition now
     * @param shape of the table in the event
     * @param index of the column in it
     * @param at offset of the value, or of the length before it
     * @return null for a type that cannot be decoded, such as FLOAT
     */
    public static String of(Column column, TableShape shape, int index, ByteBuffer view, int at) {
        return switch (shape.type(index)) {
            case ColumnType.MYSQL_TYPE_STRING,
                    ColumnType.MYSQL_TYPE_VARCHAR,
                    ColumnType.MYSQL_TYPE_VAR_STRING,
                    ColumnType.MYSQL_TYPE_BLOB -> bytes(column.type(), view, at, -shape.width(index));
            case ColumnType.MYSQL_TYPE_FLOAT, ColumnType.MYSQL_TYPE_DOUBLE -> null;
            default -> {
                boolean isUnsigned = column.type().unsigned() || column.type().hasValues();
                yield scalar(ScalarText.of(shape, index, isUnsigned), view, at);
            }
        };
    }

    private static String scalar(ScalarText column, ByteBuffer view, int at) {
        if (!ScalarText.isNumber(column.type()) && !ScalarText.isTime(column.type())) {
            return null;
        }
        ByteBuf out = Unpooled.buffer(LONGEST);
        column.append(out, view, at);
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static String bytes(SqlType type, ByteBuffer view, int at, int prefix) {
        byte[] value = new byte[(int) ScalarText.little(view, at, prefix)];
        view.get(at + prefix, value);
        if (RowText.isConverted(type)) {
            Charset charset = Collations.charset(type.charset()).orElse(StandardCharsets.UTF_8);
            value = charset.equals(StandardCharsets.UTF_8)
                    ? value
                    : new String(value, charset).getBytes(StandardCharsets.UTF_8);
        }
        // rows events have BINARY without the zeros at its end
        boolean isPadded = type.name().equals("binary") && value.length < type.length();
        return HEX.formatHex(isPadded ? Arrays.copyOf(value, type.length()) : value);
    }
}
