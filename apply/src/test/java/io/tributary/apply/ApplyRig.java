package io.tributary.apply;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A source, which stands for the MySQL port of a node, and a target. */
final class ApplyRig implements AutoCloseable {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MysqlServers servers;
    private Running running;

    /** An applier in a thread of its own. */
    static final class Running {
        private final Applier applier;
        private final CompletableFuture<Throwable> end = new CompletableFuture<>();
        private volatile Thread thread;

        Running(Applier applier) {
            this.applier = applier;
        }

        Applier applier() {
            return applier;
        }

        /** The error that ended it. */
        Throwable failure() throws Exception {
            return end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    ApplyRig(MysqlOptions target) {
        servers = MysqlServers.start(List.of(MysqlOptions.named("source"), target));
    }

    MysqlServer source() {
        return servers.get(0);
    }

    MysqlServer target() {
        return servers.get(1);
    }

    /** Settings with 8 sessions. */
    static ApplyPlan.Settings settings(ApplyBackend backend, ApplyOrder order) {
        return settings(backend, order, 8, 8);
    }

    static ApplyPlan.Settings settings(ApplyBackend backend, ApplyOrder order, int sessions, int batch) {
        return new ApplyPlan.Settings(
                backend, order, ApplyDependency.WRITESET, false, new ApplyPlan.Limits(sessions, batch, 100, 16 << 20));
    }

    static Endpoint endpoint(MysqlServer server) {
        return Endpoint.of(server.host(), server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
    }

    Running start(ApplyPlan.Settings settings) {
        return start(settings, ApplyNames.ALL, Optional.empty());
    }

    Running start(ApplyPlan.Settings settings, ApplyNames names, Optional<GtidSet> start) {
        return start(plan(settings, names, start, Peer.target(endpoint(target()), Duration.ofSeconds(30))));
    }

    static ApplyPlan plan(ApplyPlan.Settings settings, ApplyNames names, Optional<GtidSet> start, Peer target) {
        return new ApplyPlan("test", target, names, start, settings);
    }

    Running start(ApplyPlan plan) {
        Running made = new Running(new Applier(new MysqlClient(loop), plan, Clock.SYSTEM));
        threads.execute(() -> {
            made.thread = Thread.currentThread();
            try {
                made.applier.run(Peer.node(endpoint(source()), Duration.ofSeconds(30)), threads);
                made.end.complete(new IllegalStateException("ended without an error"));
            } catch (Throwable e) {
                made.end.complete(e);
            }
        });
        running = made;
        return made;
    }

    Running running() {
        return running;
    }

    void running(Running other) {
        running = other;
    }

    /** The error that ends the applier. */
    Throwable awaitFailure() throws Exception {
        return running.failure();
    }

    /** Ends all sessions of the applier on the target, as if its process were killed; again if it has opened more of them meanwhile. */
    void cut() throws Exception {
        Running cut = running;
        Await.until("the end of the applier", LIMIT, () -> {
            killSessions();
            return cut.end.isDone();
        });
        Throwable unused = awaitFailure();
    }

    private void killSessions() throws SQLException {
        try (Sql sql = target().sql()) {
            for (var row : sql.rows("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()"
                    + " AND command NOT IN ('Daemon', 'Binlog Dump GTID')")) {
                try {
                    sql.execute("KILL " + row.get("id"));
                } catch (SQLException e) {
                    requireEnded(e);
                }
            }
        }
    }

    /** Ends the applier. */
    void stop() throws Exception {
        if (running != null && !running.end.isDone()) {
            Await.until("a thread", LIMIT, () -> running.thread != null);
            running.thread.interrupt();
            Throwable end = running.failure();
            if (!(end instanceof CancellationException) && !Thread.interrupted()) {
                throw new IllegalStateException("expected the end after an interrupt", end);
            }
        }
        running = null;
    }

    private static void requireEnded(SQLException e) throws SQLException {
        if (e.getErrorCode() != 1094) { // ER_NO_SUCH_THREAD
            throw e;
        }
    }

    /** Waits until the target has a row with the newest mark. */
    void awaitMark(String table, long mark) throws SQLException {
        Await.until(() -> "mark " + mark + " in " + table + "; ended: " + running.end.getNow(null), LIMIT, () -> {
            if (running.end.isDone()) {
                throw new IllegalStateException("the applier has ended", running.end.get());
            }
            try (Sql sql = target().sql()) {
                return sql.number(
                                        "SELECT COUNT(*) FROM information_schema.tables WHERE CONCAT(table_schema, '.', table_name) = '"
                                                + table + "'")
                                == 1
                        && sql.number("SELECT COUNT(*) FROM " + table + " WHERE id = " + mark) == 1;
            }
        });
    }

    /** The tables of the schemas differ if this is not empty. */
    void requireEqual(String... schemas) throws SQLException {
        var expected = TableChecksum.of(source(), List.of(schemas));
        var found = TableChecksum.of(target(), List.of(schemas));
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            closeServers();
        }
    }

    private void closeServers() {
        threads.shutdownNow();
        servers.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
