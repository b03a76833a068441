package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * XA transactions of every odd kind, mixed with local ones, in schema {@value #SCHEMA}: table {@code written} gets a row
 * per branch with the transaction's unique number and how many branches write one, rows of {@code touched} are updated and their {@code seq} rises. Stopping it decides all that
 * it left prepared. It does not survive a killed shard.
 */
public final class PathologicalXaWorkload implements Workload {
    public static final String SCHEMA = "pathology";

    static final int ROWS_PER_WORKER = 10;

    private final List<MysqlServer> shards;
    private final int threads;
    private final Load load;
    private final AtomicLong nextId = new AtomicLong(1);
    private final Map<XaPathology, LongAdder> done = new EnumMap<>(XaPathology.class);

    /** @param kinds what may happen, each equally often; {@link XaPathology#legal()} unless the test wants more */
    public PathologicalXaWorkload(List<MysqlServer> shards, long seed, int threads, Set<XaPathology> kinds) {
        if (shards.size() < 2) {
            throw new IllegalArgumentException("at least 2 shards");
        }
        this.shards = List.copyOf(shards);
        this.threads = threads;
        List<XaPathology> list = List.copyOf(kinds);
        kinds.forEach(kind -> done.put(kind, new LongAdder()));
        this.load = new Load(
                "pathology", threads, 0, number -> new PathologicalXaWorker(this, this.shards, list, seed, number));
    }

    @Override
    public void prepare() throws SQLException {
        for (int shard = 0; shard < shards.size(); shard++) {
            StringJoiner rows = new StringJoiner(",", "INSERT INTO pathology.touched VALUES ", "");
            for (int row = 0; row < threads * ROWS_PER_WORKER; row++) {
                rows.add("(" + touchedId(shard, row / ROWS_PER_WORKER, row % ROWS_PER_WORKER) + ",0)");
            }
            try (Sql sql = shards.get(shard).sql()) {
                sql.execute(
                        "CREATE DATABASE pathology",
                        "CREATE TABLE pathology.written (id BIGINT PRIMARY KEY, txn BIGINT NOT NULL, "
                                + "branches INT NOT NULL, kind VARCHAR(40) NOT NULL)",
                        "CREATE TABLE pathology.touched (id BIGINT PRIMARY KEY, seq BIGINT NOT NULL)",
                        rows.toString());
            }
        }
    }

    @Override
    public Load load() {
        return load;
    }

    /** How often each kind was gone through to its end. */
    public Map<XaPathology, Long> done() {
        Map<XaPathology, Long> counts = new EnumMap<>(XaPathology.class);
        done.forEach((kind, count) -> counts.put(kind, count.sum()));
        return counts;
    }

    void done(XaPathology kind) {
        done.get(kind).increment();
    }

    long nextId() {
        return nextId.getAndIncrement();
    }

    /** The key of one of a worker's rows on a shard; no two shards share one. */
    long touchedId(int shard, int worker, int row) {
        return ((long) worker * ROWS_PER_WORKER + row) * shards.size() + shard;
    }
}
