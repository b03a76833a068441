package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import java.util.List;

/** Writes text result sets, with EOF packets behind columns and rows (manual page "Text Resultset"). */
final class ResultSetWriter {
    private static final int UTF8MB4_GENERAL_CI = 45;
    private static final int BINARY = 63;
    private static final int TYPE_LONGLONG = 8;
    private static final int TYPE_VAR_STRING = 253;
    private static final int MAX_TEXT_BYTES = 0xffff;
    private static final int MAX_INTEGER_DIGITS = 20;
    private static final int FIXED_FIELDS = 12;

    private ResultSetWriter() {}

    static void write(ResultSet result, ByteBuf out, PacketSequence sequence, OkPacket end) {
        int at = Packets.begin(out);
        LengthEncoding.writeInteger(out, result.columns().size());
        Packets.end(out, at, sequence);
        for (ResultSet.Column column : result.columns()) {
            at = Packets.begin(out);
            column(column, out);
            Packets.end(out, at, sequence);
        }
        eof(out, sequence, end);
        for (List<String> row : result.rows()) {
            at = Packets.begin(out);
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

    private static void eof(ByteBuf out, PacketSequence sequence, OkPacket end) {
        int at = Packets.begin(out);
        end.writeEof(out);
        Packets.end(out, at, sequence);
    }

    private static void column(ResultSet.Column column, ByteBuf out) {
        LengthEncoding.writeString(out, "def");
        for (int empty = 0; empty < 3; empty++) {
            LengthEncoding.writeString(out, "");
        }
        LengthEncoding.writeString(out, column.name());
        LengthEncoding.writeString(out, "");
        out.writeByte(FIXED_FIELDS);
        out.writeShortLE(column.isInteger() ? BINARY : UTF8MB4_GENERAL_CI);
        out.writeIntLE(column.isInteger() ? MAX_INTEGER_DIGITS : MAX_TEXT_BYTES);
        out.writeByte(column.isInteger() ? TYPE_LONGLONG : TYPE_VAR_STRING);
        out.writeShortLE(0);
        out.writeByte(column.isInteger() ? 0 : 31);
        out.writeZero(2);
    }
}
