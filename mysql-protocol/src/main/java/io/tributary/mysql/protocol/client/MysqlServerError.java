package io.tributary.mysql.protocol.client;

import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;

/** The error of a server that answered with an ERR packet; the connection stays usable unless it was the answer to a login. */
public final class MysqlServerError extends RuntimeException {
    private final ErrPacket packet;

    /** @param from the server's name in the message */
    public MysqlServerError(String from, ErrPacket packet) {
        super(from + " answered ERROR " + packet.code() + " (" + packet.sqlState() + "): " + packet.message());
        this.packet = packet;
    }

    /** Whether the server answered with one of these errors. */
    public boolean is(MysqlError... errors) {
        return packet.is(errors);
    }

    /** The ERR packet of the server. */
    public ErrPacket packet() {
        return packet;
    }

    /** MySQL's error number, such as 1045 or 1236. */
    public int errorCode() {
        return packet.code();
    }

    /** The SQL state, five characters. */
    public String sqlState() {
        return packet.sqlState();
    }

    /** The server's message. */
    public String serverMessage() {
        return packet.message();
    }
}
