package io.tributary.sink.open;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowImage;
import io.tributary.replay.row.JsonString;
import io.tributary.schema.definition.TableKey;
import io.tributary.sink.message.ColumnJson;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes the values of a column: {@code "name":{"t":type,"h":true,"f":flags,"v":value}}. Types are numbers of MySQL's protocol; 225 is TiDB's number of
 * VECTOR. For one thread.
 */
final class OpenColumn {
    private static final int BINARY = 1;
    private static final int HANDLE = 2;
    private static final int GENERATED = 4;
    private static final int PRIMARY = 8;
    private static final int UNIQUE = 16;
    private static final int MULTIPLE = 32;
    private static final int NULLABLE = 64;
    private static final int UNSIGNED = 128;

    private static final byte[] NULL = "null}".getBytes(StandardCharsets.US_ASCII);
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final ChangeColumn column;
    private final boolean isHandle;
    private final byte[] head;

    OpenColumn(ChangeTable table, ChangeColumn column) {
        this.column = column;
        this.isHandle = table.handle().contains(column);
        String text = new String(JsonString.quoted(column.name()), StandardCharsets.UTF_8)
                + ":{\"t\":" + type(column)
                + (isHandle ? ",\"h\":true" : "")
                + ",\"f\":" + flags(table, column, isHandle)
                + ",\"v\":";
        this.head = text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether it is one of the handle key. */
    boolean isHandle() {
        return isHandle;
    }

    private static int type(ChangeColumn column) {
        return switch (column.type().name()) {
            case "tinyint" -> 1;
            case "smallint" -> 2;
            case "int" -> 3;
            case "float" -> 4;
            case "double" -> 5;
            case "timestamp" -> 7;
            case "bigint" -> 8;
            case "mediumint" -> 9;
            case "date" -> 10;
            case "time" -> 11;
            case "datetime" -> 12;
            case "year" -> 13;
            case "varchar", "varbinary" -> 15;
            case "bit" -> 16;
            case "vector" -> 225;
            case "json" -> 245;
            case "decimal" -> 246;
            case "enum" -> 247;
            case "set" -> 248;
            case "tinytext", "tinyblob" -> 249;
            case "mediumtext", "mediumblob" -> 250;
            case "longtext", "longblob" -> 251;
            case "text", "blob" -> 252;
            default -> column.type().isGeometry() ? 255 : 254;
        };
    }

    private static int flags(ChangeTable table, ChangeColumn column, boolean isHandle) {
        boolean isBytes = switch (column.kind()) {
            case BYTES, GEOMETRY -> true;
            default -> false;
        };
        List<TableKey> keys = table.definition().keys().stream()
                .filter(key ->
                        key.parts().stream().anyMatch(part -> part.column().equalsIgnoreCase(column.name())))
                .toList();
        boolean isUnique = keys.stream().anyMatch(key -> key.kind() == TableKey.Kind.UNIQUE);
        boolean isMultiple = keys.stream().anyMatch(key -> key.parts().size() > 1);
        return (isBytes ? BINARY : 0)
                | (isHandle ? HANDLE : 0)
                | (column.definition().generation().isPresent() ? GENERATED : 0)
                | (table.isPrimary(column.definition()) ? PRIMARY : 0)
                | (isUnique ? UNIQUE : 0)
                | (isMultiple ? MULTIPLE : 0)
                | (column.definition().nullable() ? NULLABLE : 0)
                | (column.isUnsigned() ? UNSIGNED : 0);
    }

    void append(ByteBuf out, RowImage image, ColumnJson json) {
        out.writeBytes(head);
        if (column.isNull(image)) {
            out.writeBytes(NULL);
            return;
        }
        switch (column.kind()) {
            case INTEGER, FLOAT, DOUBLE -> column.appendText(out, image);
            case YEAR, BIT, ENUM, SET -> ColumnJson.unsigned(out, column, image);
            case DECIMAL, DATE, TIME, DATETIME, TIMESTAMP, JSON -> json.text(out, column, image);
            case TEXT -> {
                if (column.type().isText()) {
                    ColumnJson.base64(out, ColumnJson.utf8(column, image));
                } else {
                    json.text(out, column, image);
                }
            }
            case BYTES -> bytes(out, image);
            case GEOMETRY -> ColumnJson.base64(out, column.bytes(image));
            case VECTOR -> JsonString.quoted(out, ColumnJson.vector(column, image));
        }
        out.writeByte('}');
    }

    private void bytes(ByteBuf out, RowImage image) {
        byte[] value = column.bytes(image);
        if (column.type().name().endsWith("blob")) {
            ColumnJson.base64(out, value);
        } else {
            JsonString.quoted(out, escaped(value));
        }
    }

    /** The bytes in the form of a string literal of Go, without its quotes: bytes that are not printable ASCII as {@code \x89}. */
    private static String escaped(byte[] value) {
        StringBuilder text = new StringBuilder(value.length);
        for (byte one : value) {
            if (one == '"' || one == '\\') {
                text.append('\\').append((char) one);
            } else if (one >= ' ' && one <= '~') {
                text.append((char) one);
            } else {
                text.append("\\x").append(HEX[one >> 4 & 15]).append(HEX[one & 15]);
            }
        }
        return text.toString();
    }
}
