package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;

/** An OK packet; the state-change part is not read (manual page "OK_Packet"). */
public record OkPacket(long affectedRows, long lastInsertId, int status, int warnings) {
    public static final int HEADER = 0x00;

    /** Header of an EOF packet, and of the OK packet that ends a result set if {@link Capabilities#DEPRECATE_EOF} is set. */
    public static final int EOF_HEADER = 0xfe;

    /** Status bit: the session uses autocommit. */
    public static final int STATUS_AUTOCOMMIT = 2;

    /** Status bit: another answer to the same command follows. */
    public static final int STATUS_MORE_RESULTS = 8;

    /** Reads an OK packet from its header byte on. */
    public static OkPacket read(ByteBuf in) {
        in.skipBytes(1);
        long affected = LengthEncoding.readInteger(in);
        long insertId = LengthEncoding.readInteger(in);
        LengthEncoding.need(in, 4);
        return new OkPacket(affected, insertId, in.readUnsignedShortLE(), in.readUnsignedShortLE());
    }

    /** Writes the payload; {@code header} is {@link #HEADER} or {@link #EOF_HEADER}. */
    public void write(ByteBuf out, int header) {
        out.writeByte(header);
        LengthEncoding.writeInteger(out, affectedRows);
        LengthEncoding.writeInteger(out, lastInsertId);
        out.writeShortLE(status);
        out.writeShortLE(warnings);
    }

    /** Writes the payload of the EOF packet that older clients expect after columns and rows. */
    public void writeEof(ByteBuf out) {
        out.writeByte(EOF_HEADER);
        out.writeShortLE(warnings);
        out.writeShortLE(status);
    }
}
