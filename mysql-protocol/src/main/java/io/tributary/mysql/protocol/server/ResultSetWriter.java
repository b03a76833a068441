package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import io.tributary.mysql.protocol.ResultColumnType;
import java.util.List;

/**
 * Writes result sets, with EOF packets after columns and rows: text ones for COM_QUERY, binary ones for
 * COM_STMT_EXECUTE (manual pages "Text Resultset", "Binary Protocol Resultset").
 */
final class ResultSetWriter {
    private static final int BITMAP_OFFSET = 2;

    private ResultSetWriter() {}

    static void writeText(ResultSet result, ByteBuf out, PacketSequence sequence, OkPacket end) {
        List<ResultColumnType> types =
                result.columns().stream().map(ResultSet.Column::type).toList();
        head(result, types, out, sequence, end);
        for (List<String> row : result.rows()) {
            int at = Packets.begin(out);
            for (String value : row) {
                if (value == null) {
                    out.writeByte(LengthEncoding.NULL_VALUE);
                } else {
                    LengthEncoding.writeString(out, value);
                }
            }
            Packets.end(out, at, sequence);
        }
        eof(out, sequence, end);
    }

    /** Writes what precedes the rows of a text result set. */
    static void writeHead(List<ResultSet.Column> columns, ByteBuf out, PacketSequence sequence, OkPacket end) {
        head(ResultSet.of(columns), columns.stream().map(ResultSet.Column::type).toList(), out, sequence, end);
    }

    /** Writes whole numbers as LONGLONG, everything else as text; the column definitions are set accordingly. */
    static void writeBinary(ResultSet result, ByteBuf out, PacketSequence sequence, OkPacket end) {
        List<ResultColumnType> types =
                result.columns().stream().map(column -> binary(column.type())).toList();
        head(result, types, out, sequence, end);
        for (List<String> row : result.rows()) {
            int at = Packets.begin(out);
            out.writeByte(OkPacket.HEADER);
            byte[] nulls = new byte[(row.size() + 7 + BITMAP_OFFSET) / 8];
            for (int i = 0; i < row.size(); i++) {
                if (row.get(i) == null) {
                    nulls[(i + BITMAP_OFFSET) / 8] |= (byte) (1 << (i + BITMAP_OFFSET) % 8);
                }
            }
            out.writeBytes(nulls);
            for (int i = 0; i < row.size(); i++) {
                binaryValue(types.get(i), row.get(i), out);
            }
            Packets.end(out, at, sequence);
        }
        eof(out, sequence, end);
    }

    /** Writes the columns as COM_FIELD_LIST answers them: no count before them, and each with a default value, which is not given. */
    static void writeFields(ResultSet result, ByteBuf out, PacketSequence sequence, OkPacket end) {
        for (ResultSet.Column column : result.columns()) {
            int at = Packets.begin(out);
            column(column.name(), column.type(), out);
            out.writeByte(LengthEncoding.NULL_VALUE);
            Packets.end(out, at, sequence);
        }
        eof(out, sequence, end);
    }

    private static ResultColumnType binary(ResultColumnType type) {
        return type.isInteger()
                ? new ResultColumnType(63, 20, ResultColumnType.LONGLONG, type.flags(), 0)
                : ResultColumnType.TEXT;
    }

    private static void binaryValue(ResultColumnType type, String value, ByteBuf out) {
        if (value == null) {
            return;
        }
        if (type.type() == ResultColumnType.LONGLONG) {
            out.writeLongLE(type.isUnsigned() ? Long.parseUnsignedLong(value) : Long.parseLong(value));
        } else {
            LengthEncoding.writeString(out, value);
        }
    }

    private static void head(
            ResultSet result, List<ResultColumnType> types, ByteBuf out, PacketSequence sequence, OkPacket end) {
        int at = Packets.begin(out);
        LengthEncoding.writeInteger(out, result.columns().size());
        Packets.end(out, at, sequence);
        for (int i = 0; i < types.size(); i++) {
            at = Packets.begin(out);
            column(result.columns().get(i).name(), types.get(i), out);
            Packets.end(out, at, sequence);
        }
        eof(out, sequence, end);
    }

    private static void eof(ByteBuf out, PacketSequence sequence, OkPacket end) {
        int at = Packets.begin(out);
        end.writeEof(out);
        Packets.end(out, at, sequence);
    }

    private static void column(String name, ResultColumnType type, ByteBuf out) {
        LengthEncoding.writeString(out, "def");
        for (int empty = 0; empty < 3; empty++) {
            LengthEncoding.writeString(out, "");
        }
        LengthEncoding.writeString(out, name);
        LengthEncoding.writeString(out, "");
        type.write(out);
    }
}
