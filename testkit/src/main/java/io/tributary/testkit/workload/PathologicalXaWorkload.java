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
 * A workload of unusual XA transactions, mixed with local ones, in schema {@value #SCHEMA}. Table {@code written} gets a row
 * per branch with the transaction's unique number and the number of branches that write one; rows of {@code touched} are updated and their
 * {@code seq} increases. A stop decides all prepared branches. It fails if a shard is killed.
 */
public final class PathologicalXaWorkload implements Workload {
    public static final String SCHEMA = "pathology";

    static final int ROWS_PER_WORKER = 10;

    private final List<MysqlServer> shards;
    private final int threads;
    private final Load load;
    private final AtomicLong nextId = new AtomicLong(1);
    private final Map<XaPathology, LongAdder> done = new EnumMap<>(XaPathology.class);

    /** @param kinds the kinds to run, each equally often; usually {@link XaPathology#legal()} */
    public PathologicalXaWorkload(List<MysqlServer> shards, long seed, int threads, Set<XaPathology> kinds) {
        if (shards.size() < 2) {
            throw new IllegalArgumentException("expected at least 2 shards");
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

    /** The number of completed runs of each kind. */
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

    /** The key of one of a worker's rows on a shard, unique over all shards. */
    long touchedId(int shard, int worker, int row) {
        return ((long) worker * ROWS_PER_WORKER + row) * shards.size() + shard;
    }
}
