package io.tributary.sink.simple;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.replay.row.JsonString;
import io.tributary.sink.message.ColumnJson;
import java.nio.charset.StandardCharsets;

/**
 * Writes the values of a column, all of them strings: BIT, ENUM and SET as numbers, bytes and GEOMETRY in Base64; a TIMESTAMP is an object with the time
 * zone and the string. For one thread.
 */
final class SimpleColumn {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final ChangeColumn column;
    private final byte[] head;

    SimpleColumn(ChangeColumn column) {
        this.column = column;
        this.head = (new String(JsonString.quoted(column.name()), StandardCharsets.UTF_8) + ":")
                .getBytes(StandardCharsets.UTF_8);
    }

    void append(ByteBuf out, RowImage image, ColumnJson json) {
        out.writeBytes(head);
        if (column.isNull(image)) {
            out.writeBytes(NULL);
            return;
        }
        switch (column.kind()) {
            case BIT, ENUM, SET, YEAR -> {
                out.writeByte('"');
                ColumnJson.unsigned(out, column, image);
                out.writeByte('"');
            }
            case TIMESTAMP -> {
                ByteBufUtil.writeAscii(out, "{\"location\":\"UTC\",\"value\":");
                json.text(out, column, image);
                out.writeByte('}');
            }
            case BYTES, GEOMETRY -> ColumnJson.base64(out, column.bytes(image));
            case VECTOR -> JsonString.quoted(out, ColumnJson.vector(column, image));
            default -> json.text(out, column, image);
        }
    }
}
