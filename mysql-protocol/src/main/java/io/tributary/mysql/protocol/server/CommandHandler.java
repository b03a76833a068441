package io.tributary.mysql.protocol.server;

import io.tributary.mysql.protocol.MysqlError;

/**
 * The commands of the sessions of a {@link MysqlServer}, implemented by the owner of the server. Called on event loops, {@link #query} with a
 * long statement on another thread: must not block; each command is answered exactly once, now or later, from any thread, by one of the
 * session's answers or, for a dump, through the sink. A session's next command is passed after the answer to its previous one. An exception
 * that is thrown before the answer is answered with ER_UNKNOWN_ERROR and its message.
 */
public interface CommandHandler {
    /** Called after a user has logged in; no command waits for an answer. */
    default void connected(Session session) {}

    /** Called after the connection of a {@link #connected} session has ended; its answers are dropped from then on. */
    default void disconnected(Session session) {}

    /** COM_QUERY, and COM_STMT_EXECUTE with the values inserted. */
    void query(Session session, String sql);

    /** COM_INIT_DB: the client chooses a schema; it is {@link Session#database()} once this has answered OK. */
    default void initDatabase(Session session, String name) {
        session.database(name);
        session.ok();
    }

    /** COM_PING. */
    default void ping(Session session) {
        session.ok();
    }

    /** COM_STATISTICS: one line for display. */
    default void statistics(Session session) {
        session.text("");
    }

    /**
     * COM_RESET_CONNECTION, and COM_CHANGE_USER after its checks; the session has already dropped its user variables and prepared
     * statements, and belongs to the other user.
     */
    default void resetConnection(Session session) {
        session.ok();
    }

    /**
     * COM_FIELD_LIST: the columns of a table of the session's schema, by {@link Session#fields}.
     *
     * @param like a pattern of the columns' names; empty for all
     */
    default void fields(Session session, String table, String like) {
        session.err(MysqlError.ER_UNKNOWN_COM_ERROR, "Unknown command");
    }

    /** COM_PROCESS_KILL. */
    default void kill(Session session, long threadId) {
        if (session.kill(threadId)) {
            session.ok();
        } else {
            session.err(MysqlError.ER_NO_SUCH_THREAD, "Unknown thread id: " + threadId);
        }
    }

    /** COM_REGISTER_SLAVE. */
    default void registerReplica(Session session, ReplicaRegistration replica) {
        session.ok();
    }

    /**
     * COM_BINLOG_DUMP or COM_BINLOG_DUMP_GTID. From now on one thread at a time writes to the sink; it ends with
     * {@link EventSink#finish}, {@link EventSink#fail} or {@link Session#close}. Packets of the client are dropped in the meantime.
     */
    void dump(Session session, DumpRequest request, EventSink sink);
}
