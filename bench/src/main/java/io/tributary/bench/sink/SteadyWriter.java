package io.tributary.bench.sink;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Inserts wide rows in a thread of its own until it is stopped: ten transactions of 100 rows per second. */
final class SteadyWriter implements AutoCloseable {
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<Long> rows;
    private volatile boolean isStopped;

    /** Begins. */
    SteadyWriter(MysqlServer server) {
        rows = thread.submit(() -> write(server));
    }

    private long write(MysqlServer server) throws SQLException {
        try (Sql sql = server.sql()) {
            RowCopies copies = new RowCopies(sql);
            while (!isStopped) {
                copies.next();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return copies.rows();
        }
    }

    /** Ends it; returns the rows that the table then has. */
    long stop() throws InterruptedException, ExecutionException {
        isStopped = true;
        return rows.get();
    }

    @Override
    public void close() {
        isStopped = true;
        thread.shutdown();
    }
}
