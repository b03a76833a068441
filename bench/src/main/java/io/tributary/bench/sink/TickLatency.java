package io.tributary.bench.sink;

import io.tributary.bench.Distribution;
import io.tributary.common.pipeline.Clock;
import io.tributary.sink.Guarantee;
import io.tributary.sink.message.MessageFormat;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Measures the time from the end of a commit on the server until a consumer with read_committed has its row. */
final class TickLatency {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration FIRST = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 10_000_000;
    private static final int WARM_UP = 200;

    private TickLatency() {}

    /** Commits one row every 10 ms; returns the milliseconds of those after the first 200. */
    static Distribution measure(SinkSite site, MessageFormat format, int commits) throws Exception {
        try (SinkSite.Running sink = site.start(format, Guarantee.EXACTLY_ONCE, "tick")) {
            AtomicLongArray committed = new AtomicLongArray(WARM_UP + commits);
            String topic = site.topic("tick");
            long before;
            try (Sql sql = site.server().sql()) {
                before = sql.number("SELECT COUNT(*) FROM wide.tick");
                sql.execute("INSERT INTO wide.tick VALUES (" + before + ")");
                sink.awaitRows(before + 1);
                CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(sql, before + 1, committed));
                double[] millis = consume(site.brokers(), topic, before + 1, committed);
                writer.join();
                return Distribution.of(millis);
            }
        }
    }

    private static void write(Sql sql, long first, AtomicLongArray committed) {
        try {
            for (int i = 0; i < committed.length(); i++) {
                sql.execute("INSERT INTO wide.tick VALUES (" + (first + i) + ")");
                committed.set(i, Clock.SYSTEM.nanoTime());
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double[] consume(String brokers, String topic, long passed, AtomicLongArray committed) {
        double[] millis = new double[committed.length() - WARM_UP];
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long limit = Clock.SYSTEM.nanoTime() + FIRST.toNanos() + 10L * committed.length() * PAUSE_NANOS;
            long found = -passed;
            while (found < committed.length()) {
                int count = consumer.poll(POLL).count();
                long now = Clock.SYSTEM.nanoTime();
                for (int i = 0; i < count; i++, found++) {
                    if (found >= WARM_UP) {
                        millis[(int) found - WARM_UP] = Math.max(0, now - committed.get((int) found)) / 1e6;
                    }
                }
                if (now > limit) {
                    throw new IllegalStateException("expected " + committed.length() + " rows, found " + found);
                }
            }
        }
        return millis;
    }
}
