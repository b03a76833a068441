package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A workload of local transactions on tables with random column types and character sets, with inserts, updates and deletes
 * of one and several rows, savepoints, and sessions that compress their transactions, log their statements' text, or log
 * JSON updates as differences. Tables {@code mixed.t0} to {@code mixed.tN}, key {@code id}; {@code seq} increases with
 * each update; {@code mixed.plain} is a MyISAM table.
 */
public final class MixedWorkload implements Workload {
    public static final String SCHEMA = "mixed";

    private static final int MOST_COLUMNS = 10;
    private static final List<String> SESSIONS = List.of(
            "SET SESSION binlog_transaction_compression = ON",
            "SET SESSION binlog_rows_query_log_events = ON",
            "SET SESSION time_zone = '+05:30'");

    private final List<MysqlServer> shards;
    private final long seed;
    private final boolean partialJson;
    private final List<List<ColumnKind>> tables = new ArrayList<>();
    private final Load load;
    private final AtomicLong nextRow = new AtomicLong();
    private final LongAdder committed = new LongAdder();

    /** @param partialJson whether some sessions log JSON updates as differences (binlog_row_value_options) */
    public MixedWorkload(List<MysqlServer> shards, long seed, int tableCount, int threads, boolean partialJson) {
        this.shards = List.copyOf(shards);
        this.seed = seed;
        this.partialJson = partialJson;
        Random random = new Random(seed);
        for (int i = 0; i < tableCount; i++) {
            tables.add(drawColumns(random));
        }
        this.load = new Load("mixed", threads, 0, number -> new MixedWriter(this, this.shards, number));
    }

    private static List<ColumnKind> drawColumns(Random random) {
        List<ColumnKind> columns = new ArrayList<>();
        columns.add(ColumnKind.json());
        int more = random.nextInt(MOST_COLUMNS);
        for (int i = 0; i < more; i++) {
            columns.add(ColumnKind.draw(random));
        }
        return columns;
    }

    @Override
    public void prepare() throws SQLException {
        for (MysqlServer shard : shards) {
            shard.execute(
                    "CREATE DATABASE mixed",
                    "CREATE TABLE mixed.plain (id BIGINT PRIMARY KEY, seq BIGINT) ENGINE=MyISAM");
            for (int table = 0; table < tables.size(); table++) {
                StringJoiner columns = new StringJoiner(
                        ", ", "CREATE TABLE mixed.t" + table + " (id BIGINT PRIMARY KEY, seq BIGINT NOT NULL, ", ")");
                for (int i = 0; i < tables.get(table).size(); i++) {
                    columns.add("c" + i + " " + tables.get(table).get(i).type());
                }
                shard.execute(columns.toString());
            }
        }
    }

    @Override
    public Load load() {
        return load;
    }

    /** The number of transactions committed since the start; may be called at any time. */
    public long committed() {
        return committed.sum();
    }

    void oneCommitted() {
        committed.increment();
    }

    long seed() {
        return seed;
    }

    long nextRow() {
        return nextRow.getAndIncrement();
    }

    List<List<ColumnKind>> tables() {
        return tables;
    }

    /** The session settings of a worker. */
    String sessionSetup(int worker) {
        int choices = SESSIONS.size() + (partialJson ? 1 : 0);
        int choice = worker % choices;
        return choice == SESSIONS.size() ? "SET SESSION binlog_row_value_options = PARTIAL_JSON" : SESSIONS.get(choice);
    }
}
