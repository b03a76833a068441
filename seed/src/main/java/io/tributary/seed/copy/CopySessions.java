package io.tributary.seed.copy;

import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.replica.TargetWriters;
import java.util.function.Consumer;

/** Sessions whose settings let every value pass as it is. */
final class CopySessions {
    /** Strict: a value that is not stored as it is, is an error. Invalid dates and the number 0 of AUTO_INCREMENT columns are stored as they are. */
    static final String STRICT = "STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES";
    /** The same, but a value that is not stored as it is, is a warning. */
    static final String LENIENT = "NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES";

    private CopySessions() {}

    /**
     * A session that reads rows with the bytes that are stored. The server waits long for a reader that waits for the target.
     *
     * @param isolation such as READ COMMITTED
     */
    static SqlSession shard(MysqlClient client, Peer shard, String isolation) {
        return prepared(SqlSession.open(client, shard), session -> {
            session.run(
                    "SET NAMES utf8mb4",
                    "SET SESSION character_set_results = NULL, time_zone = '+00:00', sql_mode = '', net_write_timeout = 600,"
                            + " wait_timeout = 86400, sql_select_limit = DEFAULT, lock_wait_timeout = 50",
                    "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation);
            // the names of MySQL and of MariaDB
            var unused = session.isRefused("SET SESSION max_execution_time = 0", MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE);
            var unusedToo =
                    session.isRefused("SET SESSION max_statement_time = 0", MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE);
        });
    }

    /** A session without autocommit that writes rows, and nothing into the target's binlog. */
    static SqlSession target(TargetWriters writers) {
        return prepared(writers.open(), session -> {
            session.allowSeveralStatements();
            session.run(
                    "SET NAMES binary",
                    "SET SESSION sql_log_bin = 0",
                    "SET SESSION autocommit = 0, foreign_key_checks = 0, wait_timeout = 86400, time_zone = '+00:00', sql_mode = '"
                            + STRICT + "'",
                    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
        });
    }

    private static SqlSession prepared(SqlSession session, Consumer<SqlSession> settings) {
        try {
            settings.accept(session);
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }
}
