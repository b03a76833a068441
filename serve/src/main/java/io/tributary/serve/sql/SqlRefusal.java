package io.tributary.serve.sql;

import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;

/** The error for a statement, sent as an ERR packet. */
public final class SqlRefusal extends RuntimeException {
    private final ErrPacket packet;

    public SqlRefusal(MysqlError error, String message) {
        this(error.packet(message));
    }

    public SqlRefusal(ErrPacket packet) {
        super(packet.message());
        this.packet = packet;
    }

    public static SqlRefusal syntax(String near) {
        return new SqlRefusal(
                MysqlError.ER_PARSE_ERROR,
                "Tributary serves a binlog and does not support this statement near '" + near + "'");
    }

    public static SqlRefusal unknownVariable(String name) {
        return new SqlRefusal(MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE, "Unknown system variable '" + name + "'");
    }

    /** ER_NOT_SUPPORTED_YET: a known statement that is not supported. */
    public static SqlRefusal unsupported(String what) {
        return new SqlRefusal(MysqlError.ER_NOT_SUPPORTED_YET, what);
    }

    /** The error for the client. */
    public ErrPacket packet() {
        return packet;
    }
}
