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
 * Keeps DDL statements, and nothing else, from being run on a shard while its definitions are read: LOCK INSTANCE FOR BACKUP of MySQL 8.0 and
 * BACKUP STAGE BLOCK_DDL of MariaDB. Not for long: it is given back after {@link #MOST_SECONDS}, whatever has been read by then, and a server
 * that does not answer that within as long again loses the connection, and the lock with it. Any thread.
 */
public final class DdlLock {
    /** How long a statement of the shard may wait. */
    static final int MOST_SECONDS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(DdlLock.class);

    private final MysqlConnection connection;
    private final AtomicBoolean isHeld = new AtomicBoolean();

    public DdlLock(MysqlConnection connection) {
        this.connection = connection;
    }

    /**
     * Tries to get it, which ends after the session's lock_wait_timeout. An account without the right (BACKUP_ADMIN; of MariaDB RELOAD), a
     * server without such a lock and a DDL statement that is running are no failures. Completes on the connection's event loop.
     *
     * @return whether no DDL statement is run from now on, until {@link #release()} or the limit
     */
    public CompletableFuture<Boolean> acquire() {
        CompletableFuture<?> asked = connection.isMariadb()
                ? connection
                        .query("BACKUP STAGE START")
                        .thenCompose(started -> connection.query("BACKUP STAGE BLOCK_DDL"))
                : connection.query("LOCK INSTANCE FOR BACKUP");
        return asked.handle((locked, failure) -> {
            if (failure == null) {
                isHeld.set(true);
                var unused = new CompletableFuture<Void>() // nobody waits for it
                        .completeOnTimeout(null, MOST_SECONDS, TimeUnit.SECONDS)
                        .thenRun(this::release);
                return true;
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (!(cause instanceof MysqlServerError)) {
                throw new CompletionException(cause);
            }
            LOG.debug("{}: reads definitions without a lock: {}", connection.endpoint(), cause.getMessage());
            isHeld.set(connection.isMariadb()); // the first of its two statements may have been obeyed
            release();
            return false;
        });
    }

    /** Gives it back if it is held. */
    public void release() {
        if (!isHeld.compareAndSet(true, false)) {
            return;
        }
        var unused = connection // nobody waits for it
                .query(connection.isMariadb() ? "BACKUP STAGE END" : "UNLOCK INSTANCE")
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .whenComplete((done, failure) -> {
                    if (failure != null && !(failure instanceof MysqlServerError)) {
                        connection.close();
                    }
                });
    }
}
