package io.tributary.serve.schema;

import io.netty.channel.EventLoopGroup;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A few read-only sessions on one shard, with one statement on each at a time. They are opened on demand. A statement that waits too long, or
 * after too many others, is refused.
 */
final class ShardSessions implements AutoCloseable {
    private static final int MAX_WAITING = 64;
    /** The meaning of quotes must be known, and nothing may be written. */
    private static final List<String> SETTINGS = List.of(
            "SET NAMES utf8mb4",
            "SET SESSION sql_mode = '', time_zone = '+00:00', sql_select_limit = 18446744073709551615",
            "SET SESSION TRANSACTION READ ONLY");

    private static final int MOST_READ = 64 << 10;

    private final SchemaProxyConfig config;
    private final Supplier<Endpoint> shard;
    private final EventLoopGroup group;
    private final MysqlClient client;
    private final Deque<Ask> waiting = new ArrayDeque<>();
    private final List<MysqlConnection> idle = new ArrayList<>();
    private final List<MysqlConnection> open = new ArrayList<>();
    private int busy;
    private boolean closed;

    /** One statement and its answer. */
    private record Ask(String sql, CompletableFuture<QueryResult> answer) {}

    ShardSessions(SchemaProxyConfig config, Supplier<Endpoint> shard, ServeThreads threads) {
        this.config = config;
        this.shard = shard;
        this.group = threads.loops();
        this.client = new MysqlClient(group, threads.workers());
    }

    /** The shard's answer; fails with the error of the shard or of the connection. */
    CompletableFuture<QueryResult> ask(String sql) {
        Ask ask = new Ask(sql, new CompletableFuture<>());
        synchronized (this) {
            if (closed || waiting.size() >= MAX_WAITING) {
                return CompletableFuture.failedFuture(new SqlRefusal(
                        MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE,
                        closed ? "the node stops" : "too many questions about schemas are waiting for the shard"));
            }
            waiting.add(ask);
        }
        var expiry = group.next().schedule(() -> expire(ask), config.timeout().toMillis(), TimeUnit.MILLISECONDS);
        var unused = ask.answer().whenComplete((result, failure) -> expiry.cancel(false));
        next();
        return ask.answer();
    }

    private void expire(Ask ask) {
        synchronized (this) {
            waiting.remove(ask);
        }
        ask.answer()
                .completeExceptionally(new SqlRefusal(
                        MysqlError.ER_QUERY_TIMEOUT,
                        "expected an answer of the shard within serve.schema.timeout, found none"));
    }

    /** Assigns waiting statements to sessions, as far as sessions are free. */
    private void next() {
        while (true) {
            Ask ask;
            MysqlConnection connection = null;
            synchronized (this) {
                if (closed || busy >= config.connections() || waiting.isEmpty()) {
                    return;
                }
                ask = waiting.poll();
                busy++;
                while (connection == null && !idle.isEmpty()) {
                    MysqlConnection kept = idle.remove(idle.size() - 1);
                    connection = kept.isOpen() ? kept : null;
                }
            }
            run(ask, connection);
        }
    }

    private void run(Ask ask, MysqlConnection kept) {
        CompletionStage<MysqlConnection> connected = kept == null ? connect() : CompletableFuture.completedFuture(kept);
        var unused = connected.whenComplete((connection, failure) -> {
            if (failure != null) {
                ask.answer().completeExceptionally(failure);
                done(null);
                return;
            }
            CompletableFuture<QueryResult> asked =
                    connection.query(ask.sql(), config.result().bytes());
            var unusedAnswer = asked.whenComplete((result, refused) -> {
                done(connection);
                if (refused == null) {
                    ask.answer().complete(result);
                } else {
                    ask.answer().completeExceptionally(refused);
                }
            });
            var unusedToo = ask.answer().whenComplete((result, late) -> {
                if (!asked.isDone()) {
                    connection.close(); // ends the statement that is still running
                }
            });
        });
    }

    private CompletionStage<MysqlConnection> connect() {
        return client.connect(shard.get(), MOST_READ).thenCompose(connection -> {
            synchronized (this) {
                open.removeIf(one -> !one.isOpen());
                open.add(connection);
                if (closed) {
                    connection.close();
                }
            }
            CompletableFuture<QueryResult> set = CompletableFuture.completedFuture(null);
            for (String setting : SETTINGS) {
                set = set.thenCompose(before -> connection.query(setting));
            }
            return set.thenApply(last -> connection).whenComplete((ready, failure) -> {
                if (failure != null) {
                    connection.close();
                }
            });
        });
    }

    private void done(MysqlConnection connection) {
        synchronized (this) {
            busy--;
            if (connection != null && connection.isOpen()) {
                idle.add(connection);
            }
        }
        next();
    }

    @Override
    public void close() {
        List<Ask> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(waiting);
            waiting.clear();
            open.forEach(MysqlConnection::close);
        }
        left.forEach(ask -> ask.answer()
                .completeExceptionally(new SqlRefusal(MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE, "the node stops")));
    }
}
