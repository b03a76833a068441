package io.tributary.serve.select;

import io.netty.channel.EventLoop;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a session on a shard whose connection was closed while it executed a statement. The server would notice that only when it next sends
 * something. The session is killed over a second connection until the server no longer shows it. On one event loop.
 */
final class SessionKill {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKill.class);
    private static final int LIMIT_SECONDS = 30;
    private static final int LOOK_MILLIS = 50;
    private static final int RETRY_MILLIS = 1000;
    private static final int MOST_READ = 16 << 10;

    private final MysqlClient client;
    private final Endpoint endpoint;
    private final Victim victim;
    private final EventLoop loop;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private MysqlConnection control;

    /**
     * A session as its server shows it.
     *
     * @param host address and port of its client: after a restart, or on another server behind the same address, its id may be that of another session
     */
    record Victim(long id, String host) {}

    SessionKill(MysqlClient client, Endpoint endpoint, Victim victim, EventLoop loop) {
        this.client = client;
        this.endpoint = endpoint;
        this.victim = victim;
        this.loop = loop;
    }

    /** Begins. Completes when the server has ended the session, or after 30 s; it does not fail. */
    CompletableFuture<Void> begin() {
        var expiry = loop.schedule(this::giveUp, LIMIT_SECONDS, TimeUnit.SECONDS);
        connect();
        return ended.whenComplete((done, failure) -> {
            expiry.cancel(false);
            if (control != null) {
                control.close();
            }
        });
    }

    private void giveUp() {
        if (ended.complete(null)) {
            LOG.warn(
                    "a SELECT was cancelled and its session on the shard did not end within {} s: shard={} session={}"
                            + " effect=\"it ends at the latest after serve.select.longest\"",
                    LIMIT_SECONDS,
                    endpoint,
                    victim.id());
        }
    }

    private void connect() {
        if (ended.isDone()) {
            return;
        }
        var unused = client.connect(endpoint, MOST_READ)
                .thenCompose(connected -> {
                    control = connected;
                    return look();
                })
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (control != null && (failure != null || ended.isDone())) {
                                control.close();
                            }
                            if (failure != null && !ended.isDone()) {
                                LOG.debug("cannot kill: shard={} session={}", endpoint, victim.id(), failure);
                                var unusedRetry = loop.schedule(this::connect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
                            }
                        },
                        loop);
    }

    /** Kills the session as long as the server shows it. */
    private CompletableFuture<Void> look() {
        return control.query("SELECT HOST FROM information_schema.PROCESSLIST WHERE ID = " + victim.id())
                .thenCompose(found -> {
                    boolean isThere = !found.rows().isEmpty()
                            && victim.host().equals(found.rows().get(0).text(0));
                    if (!isThere) {
                        ended.complete(null);
                        return CompletableFuture.completedFuture(null);
                    }
                    return kill().thenCompose(killed -> afterPause()).thenCompose(paused -> look());
                });
    }

    private CompletableFuture<QueryResult> kill() {
        return control.query("KILL " + victim.id())
                .exceptionallyCompose(
                        failure -> failure instanceof MysqlServerError error && error.is(MysqlError.ER_NO_SUCH_THREAD)
                                ? CompletableFuture.completedFuture(null)
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Void> afterPause() {
        CompletableFuture<Void> paused = new CompletableFuture<>();
        var unused = loop.schedule(() -> paused.complete(null), LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return paused;
    }
}
