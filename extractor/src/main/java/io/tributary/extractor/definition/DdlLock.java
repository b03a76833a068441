package io.tributary.extractor.definition;

import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that blocks DDL statements, and nothing else, on a shard while its definitions are read: LOCK INSTANCE FOR BACKUP of MySQL 8.0 and
 * BACKUP STAGE BLOCK_DDL of MariaDB. It is released after {@link #MOST_SECONDS} at the latest. If the server does not answer the release within
 * the same time, the connection is closed, which also releases the lock. Any thread.
 */
public final class DdlLock {
    /** The longest time, s, for which a statement of the shard may wait. */
    static final int MOST_SECONDS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(DdlLock.class);

    private final MysqlConnection connection;
    private final AtomicBoolean isHeld = new AtomicBoolean();

    public DdlLock(MysqlConnection connection) {
        this.connection = connection;
    }

    /**
     * Tries to acquire the lock, for the session's lock_wait_timeout at most. An account without the right (BACKUP_ADMIN; on MariaDB RELOAD), a
     * server without such a lock and a running DDL statement are not failures. Completes on the connection's event loop.
     *
     * @return whether DDL statements are blocked from now on, until {@link #release()} or the limit
     */
    public CompletableFuture<Boolean> acquire() {
        CompletableFuture<?> acquired = connection.isMariadb()
                ? connection
                        .query("BACKUP STAGE START")
                        .thenCompose(started -> connection.query("BACKUP STAGE BLOCK_DDL"))
                : connection.query("LOCK INSTANCE FOR BACKUP");
        return acquired.handle((locked, failure) -> {
            if (failure == null) {
                isHeld.set(true);
                var unused = new CompletableFuture<Void>() // the result is not needed
                        .completeOnTimeout(null, MOST_SECONDS, TimeUnit.SECONDS)
                        .thenRun(this::release);
                return true;
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (!(cause instanceof MysqlServerError)) {
                throw new CompletionException(cause);
            }
            LOG.debug(
                    "definitions read without a lock: server={} reason=\"{}\"",
                    connection.endpoint(),
                    cause.getMessage());
            isHeld.set(connection.isMariadb()); // the first of its two statements may have been executed
            release();
            return false;
        });
    }

    /** Releases the lock if it is held. */
    public void release() {
        if (!isHeld.compareAndSet(true, false)) {
            return;
        }
        var unused = connection // the result is not needed
                .query(connection.isMariadb() ? "BACKUP STAGE END" : "UNLOCK INSTANCE")
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .whenComplete((done, failure) -> {
                    if (failure != null && !(failure instanceof MysqlServerError)) {
                        connection.close();
                    }
                });
    }
}
