package io.tributary.seed.copy;

import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;

/**
 * Waits while a shard is busy.
 *
 * @param most maximum of Threads_running, which includes the copy's own statements; 0 for no limit
 */
record LoadLimit(int most) {
    private static final String RUNNING = "SHOW GLOBAL STATUS LIKE 'Threads_running'";
    private static final int PAUSES = 5; // of 100 ms

    void await(SqlSession shard) {
        while (most > 0 && running(shard) > most) {
            for (int i = 0; i < PAUSES; i++) {
                Pause.upTo(Long.MAX_VALUE);
            }
        }
    }

    private static long running(SqlSession shard) {
        try {
            QueryResult status = shard.query(RUNNING);
            return Long.parseLong(status.text(0, "Value"));
        } catch (MysqlServerError e) {
            throw shard.failed(RUNNING, e);
        }
    }
}
