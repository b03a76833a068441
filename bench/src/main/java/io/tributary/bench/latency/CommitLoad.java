package io.tributary.bench.latency;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.testkit.server.MysqlServer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A load with a constant rate: each transaction inserts one numbered row, in turns on several shards: INSERT, and after its answer COMMIT. The rate
 * does not depend on the answers, as long as a connection is free. One thread polls it; it never blocks.
 */
final class CommitLoad implements AutoCloseable {
    private static final int CONNECTIONS = 16;

    private final List<ConcurrentLinkedQueue<MysqlConnection>> idle;
    private final CommitTimes times;
    private final double perSecond;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final long begin = Clock.SYSTEM.nanoTime();
    private int next;

    CommitLoad(MysqlClient client, List<MysqlServer> shards, CommitTimes times, double perSecond) {
        this.times = times;
        this.perSecond = perSecond;
        this.idle = shards.stream().map(shard -> connections(client, shard)).toList();
    }

    private static ConcurrentLinkedQueue<MysqlConnection> connections(MysqlClient client, MysqlServer shard) {
        ConcurrentLinkedQueue<MysqlConnection> connections = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            MysqlConnection connection = client.connect(
                            Endpoint.of(shard.host(), shard.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD))
                    .join();
            connection.query("SET autocommit = 0").join();
            connections.add(connection);
        }
        return connections;
    }

    /** Begins the transactions that are due; returns their number. */
    int poll() {
        if (failure.get() != null) {
            throw new IllegalStateException("a transaction failed", failure.get());
        }
        int begun = 0;
        while (next < times.transactions() && isDue()) {
            ConcurrentLinkedQueue<MysqlConnection> free = idle.get(next % idle.size());
            MysqlConnection connection = free.poll();
            if (connection == null) {
                return begun;
            }
            commit(connection, free, next++);
            begun++;
        }
        return begun;
    }

    private boolean isDue() {
        return Clock.SYSTEM.nanoTime() - begin >= next / perSecond * TimeUnit.SECONDS.toNanos(1);
    }

    private void commit(MysqlConnection connection, ConcurrentLinkedQueue<MysqlConnection> free, int number) {
        var unused = connection
                .query("INSERT INTO latency.commits VALUES (" + number + ", REPEAT('x', 100))")
                .thenCompose(inserted -> {
                    times.sent(number, Clock.SYSTEM.nanoTime());
                    return connection.query("COMMIT");
                })
                .whenComplete((committed, failed) -> {
                    if (failed != null) {
                        failure.compareAndSet(null, failed);
                    }
                    times.acknowledged(number, Clock.SYSTEM.nanoTime());
                    free.add(connection);
                });
    }

    /** Whether all transactions have begun. */
    boolean isDone() {
        return next == times.transactions();
    }

    @Override
    public void close() {
        idle.forEach(connections -> connections.forEach(MysqlConnection::close));
    }
}
