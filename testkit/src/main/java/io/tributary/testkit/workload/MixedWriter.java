package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/** One thread of the mixed workload; it owns the rows that it inserts. */
final class MixedWriter implements Load.Worker {
    private static final int MOST_STATEMENTS = 6;
    private static final int MOST_ROWS = 5;
    private static final double NULL_SHARE = 0.1;
    private static final double PLAIN_SHARE = 0.05;

    private final MixedWorkload workload;
    private final List<ShardSession> sessions;
    private final Random random;

    /** Keys of this writer's rows, by shard and table. */
    private final List<List<List<Long>>> rows = new ArrayList<>();

    MixedWriter(MixedWorkload workload, List<MysqlServer> shards, int number) {
        this.workload = workload;
        this.random = new Random(workload.seed() * 31 + number);
        this.sessions = shards.stream()
                .map(shard -> new ShardSession(
                        shard, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", workload.sessionSetup(number)))
                .toList();
        for (int shard = 0; shard < shards.size(); shard++) {
            List<List<Long>> tables = new ArrayList<>();
            workload.tables().forEach(table -> tables.add(new ArrayList<>()));
            rows.add(tables);
        }
    }

    @Override
    public void step() throws SQLException {
        int shard = random.nextInt(sessions.size());
        if (random.nextDouble() < PLAIN_SHARE) {
            sessions.get(shard).run("INSERT INTO mixed.plain VALUES (" + nextKey(shard) + ",0)");
            workload.oneCommitted();
            return;
        }
        StringJoiner text = new StringJoiner(";", "BEGIN;", ";COMMIT");
        int statements = 1 + random.nextInt(MOST_STATEMENTS);
        for (int i = 0; i < statements; i++) {
            int table = random.nextInt(workload.tables().size());
            text.add(statement(shard, table));
        }
        sessions.get(shard).run(text.toString());
        workload.oneCommitted();
    }

    private String statement(int shard, int table) {
        List<Long> keys = rows.get(shard).get(table);
        int choice = random.nextInt(10);
        if (keys.size() < 3 || choice < 4) {
            return insert(shard, table, keys);
        }
        return switch (choice) {
            case 4, 5, 6 -> update(table) + " WHERE id=" + keys.get(random.nextInt(keys.size()));
            case 7 -> update(table) + " WHERE id IN (" + keys.get(0) + "," + keys.get(keys.size() - 1) + ")";
            case 8 -> "DELETE FROM mixed.t" + table + " WHERE id=" + keys.remove(random.nextInt(keys.size()));
            default ->
                "SAVEPOINT s;" + update(table) + " WHERE id=" + keys.get(0) + ";ROLLBACK TO s;" + update(table)
                        + " WHERE id=" + keys.get(1);
        };
    }

    private String insert(int shard, int table, List<Long> keys) {
        StringJoiner all = new StringJoiner(",", "INSERT INTO mixed.t" + table + " VALUES ", "");
        int count = 1 + random.nextInt(MOST_ROWS);
        for (int i = 0; i < count; i++) {
            long key = nextKey(shard);
            keys.add(key);
            StringJoiner row =
                    new StringJoiner(",", "(", ")").add(Long.toString(key)).add("0");
            workload.tables().get(table).forEach(column -> row.add(value(column)));
            all.add(row.toString());
        }
        return all.toString();
    }

    /** An UPDATE. The first column is JSON and is sometimes changed in place, which may be logged as a difference. */
    private String update(int table) {
        StringJoiner changes = new StringJoiner(",", "UPDATE mixed.t" + table + " SET ", "").add("seq=seq+1");
        if (random.nextBoolean()) {
            changes.add("c0=JSON_SET(c0,'$.k0'," + random.nextInt(1000) + ")");
        }
        List<ColumnKind> columns = workload.tables().get(table);
        for (int i = 1; i < columns.size(); i++) {
            if (random.nextInt(3) == 0) {
                changes.add("c" + i + "=" + value(columns.get(i)));
            }
        }
        return changes.toString();
    }

    private String value(ColumnKind column) {
        return random.nextDouble() < NULL_SHARE ? "NULL" : column.literal().apply(random);
    }

    private long nextKey(int shard) {
        return workload.nextRow() * sessions.size() + shard;
    }

    @Override
    public void close() {
        sessions.forEach(ShardSession::close);
    }
}
