package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.SqlType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes values of one column as literals: what is before the value, the value, and what is after it. */
final class ColumnLiteral {
    private final byte[] before;
    private final byte[] after;
    private final Writer writer;

    /** Writes a value that begins at an offset, with the length before it. */
    private interface Writer {
        void append(ByteBuf out, ByteBuffer view, int at);
    }

    private ColumnLiteral(String before, String after, Writer writer) {
        this.before = before.getBytes(StandardCharsets.US_ASCII);
        this.after = after.getBytes(StandardCharsets.US_ASCII);
        this.writer = writer;
    }

    /** For a column that {@link ColumnFit#fits}. */
    static ColumnLiteral of(SqlType target, TableShape event, int index) {
        int type = event.type(index);
        if (ScalarText.isNumber(type) || ScalarText.isTime(type)) {
            boolean isUnsigned = event.saysSigns() ? event.isUnsigned(index) : target.unsigned();
            String quote = ScalarText.isTime(type) ? "'" : "";
            return new ColumnLiteral(quote, quote, ScalarText.of(event, index, isUnsigned)::append);
        }
        boolean isCast = target.name().equals("json");
        Writer writer = type == ColumnType.MYSQL_TYPE_JSON
                ? json(-event.width(index), isCast)
                : bytes(-event.width(index), padding(target, event, index));
        return new ColumnLiteral(
                (isCast ? "CAST(" : "") + introducer(target, event, index) + "X'", isCast ? "' AS JSON)" : "'", writer);
    }

    private static String introducer(SqlType target, TableShape event, int index) {
        int type = event.type(index);
        if (type == ColumnType.MYSQL_TYPE_JSON) {
            return "_utf8mb4 ";
        }
        String unknown = target.name().equals("json") ? "utf8mb4" : ColumnFit.BINARY;
        String charset = ColumnFit.charset(event, index)
                .or(() -> ColumnFit.charset(target))
                .orElse(unknown);
        return charset.equals(ColumnFit.BINARY) ? "" : "_" + charset + " ";
    }

    /** The length of BINARY values: rows events have them without the zeros at their end. */
    private static int padding(SqlType target, TableShape event, int index) {
        if (target.name().equals("binary")) {
            return target.length();
        }
        boolean isBinary = event.type(index) == ColumnType.MYSQL_TYPE_STRING
                && ColumnFit.charset(event, index)
                        .or(() -> ColumnFit.charset(target))
                        .orElse("")
                        .equals(ColumnFit.BINARY);
        return isBinary ? event.metadata(index) : 0;
    }

    private static Writer bytes(int prefix, int padding) {
        return (out, view, at) -> {
            int length = (int) ScalarText.little(view, at, prefix);
            AsciiText.hex(out, view, at + prefix, length);
            for (int i = length; i < padding; i++) {
                out.writeByte('0').writeByte('0');
            }
        };
    }

    private static Writer json(int prefix, boolean isRead) {
        return (out, view, at) -> {
            int from = out.writerIndex();
            int length = (int) ScalarText.little(view, at, prefix);
            if (isRead) {
                StoredJson.append(out, view, at + prefix, length);
            } else {
                StoredJson.appendShown(out, view, at + prefix, length);
            }
            AsciiText.toHex(out, from);
        };
    }

    void append(ByteBuf out, ByteBuffer view, int at) {
        out.writeBytes(before);
        writer.append(out, view, at);
        out.writeBytes(after);
    }
}
