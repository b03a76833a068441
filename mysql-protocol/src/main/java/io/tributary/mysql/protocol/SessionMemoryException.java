package io.tributary.mysql.protocol;

/** A client needs more memory than its session, or all sessions together, may use: MySQL's error 3170. */
public final class SessionMemoryException extends RuntimeException {
    private SessionMemoryException(long bytes, String key, String advice) {
        super("Memory capacity of " + bytes + " bytes for '" + key + "' exceeded. " + advice);
    }

    public static SessionMemoryException ofSession(long bytes) {
        return new SessionMemoryException(
                bytes, "serve.session-memory", "Close prepared statements, unset user variables, or connect again.");
    }

    public static SessionMemoryException ofAll(long bytes) {
        return new SessionMemoryException(
                bytes, "serve.memory", "The limit is for all sessions together; try again later.");
    }

    /** The error for the client. */
    public ErrPacket error() {
        return MysqlError.ER_CAPACITY_EXCEEDED.packet(getMessage());
    }
}
