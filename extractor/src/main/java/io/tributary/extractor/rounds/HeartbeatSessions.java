package io.tributary.extractor.rounds;

import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sessions for the heartbeat rows of all shards, and their metrics. Used by the thread of the writer of rounds. */
public final class HeartbeatSessions {
    private final ExtractorConfig config;
    private final MysqlClient client;
    private final Clock clock;
    private final Metrics metrics;
    private final List<HeartbeatSession> sessions = new ArrayList<>();
    private final Map<String, Metrics> metricsByShard = new HashMap<>();

    /** @param config all shards */
    public HeartbeatSessions(ExtractorConfig config, MysqlClient client, Clock clock, Metrics metrics) {
        this.config = config;
        this.client = client;
        this.clock = clock;
        this.metrics = metrics;
        config.shards().forEach((name, shard) -> sessions.add(begin(name, shard)));
    }

    /** A session that begins to read its row; it does not belong to the others until it is added. */
    HeartbeatSession begin(String name, ShardConfig shard) {
        Backoff pause = new Backoff(config.reconnectMin(), config.reconnectMax());
        HeartbeatSession session = new HeartbeatSession(RoundTarget.of(name, shard), client, clock, pause);
        Metrics own = metrics.child();
        own.register(Metric.SHARD_CLOCK_ERROR, session::clockErrorSeconds, "shard", name);
        metricsByShard.put(name, own);
        session.read();
        return session;
    }

    Clock clock() {
        return clock;
    }

    Metrics metrics() {
        return metrics;
    }

    /** All sessions; the list changes with {@link #add} and {@link #remove}. */
    List<HeartbeatSession> all() {
        return Collections.unmodifiableList(sessions);
    }

    void add(HeartbeatSession session) {
        sessions.add(session);
    }

    /** Closes and removes the session of a shard, and its metrics. */
    void remove(String name) {
        sessions.stream().filter(session -> session.shard().equals(name)).forEach(HeartbeatSession::close);
        sessions.removeIf(session -> session.shard().equals(name));
        forgetMetrics(name);
    }

    /** Removes the metrics of a shard whose session was not added. */
    void forgetMetrics(String name) {
        Metrics own = metricsByShard.remove(name);
        if (own != null) {
            own.close();
        }
    }

    void close() {
        sessions.forEach(HeartbeatSession::close);
        metricsByShard.values().forEach(Metrics::close);
    }
}
