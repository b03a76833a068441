package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An ERR packet (manual page "ERR_Packet").
 *
 * @param code MySQL's error number, 1 to 65535
 * @param sqlState five characters; {@code HY000} if the peer sent none
 * @param message the peer's message
 */
public record ErrPacket(int code, String sqlState, String message) {
    public static final int HEADER = 0xff;

    public ErrPacket {
        if (sqlState.length() != 5) {
            throw new IllegalArgumentException("expected an SQL state of 5 characters, found " + sqlState);
        }
    }

    /** Reads an ERR packet from its header byte on; before the login a server sends it without an SQL state. */
    public static ErrPacket read(ByteBuf in) {
        LengthEncoding.need(in, 3);
        in.skipBytes(1);
        int code = in.readUnsignedShortLE();
        String state = "HY000";
        if (in.readableBytes() >= 6 && in.getByte(in.readerIndex()) == '#') {
            in.skipBytes(1);
            state = in.readCharSequence(5, StandardCharsets.ISO_8859_1).toString();
        }
        return new ErrPacket(code, state, LengthEncoding.readRest(in));
    }

    /** Whether it has the number of one of these errors. */
    public boolean is(MysqlError... errors) {
        return Arrays.stream(errors).anyMatch(error -> error.number() == code);
    }

    /** Writes the payload. */
    public void write(ByteBuf out) {
        out.writeByte(HEADER);
        out.writeShortLE(code);
        out.writeByte('#');
        out.writeCharSequence(sqlState, StandardCharsets.ISO_8859_1);
        out.writeCharSequence(message, StandardCharsets.UTF_8);
    }
}
