package io.tributary.mysql.protocol.client;

import io.tributary.mysql.protocol.ErrPacket;

/** A server answered with an ERR packet; the connection goes on unless it was the answer to a login. */
public final class MysqlServerError extends RuntimeException {
    private final ErrPacket packet;

    /** @param from the server, for the message */
    public MysqlServerError(String from, ErrPacket packet) {
        super(from + " answered ERROR " + packet.code() + " (" + packet.sqlState() + "): " + packet.message());
        this.packet = packet;
    }

    /** MySQL's error number, such as 1045 or 1236. */
    public int errorCode() {
        return packet.code();
    }

    /** Five characters. */
    public String sqlState() {
        return packet.sqlState();
    }

    /** The server's own words. */
    public String serverMessage() {
        return packet.message();
    }
}
