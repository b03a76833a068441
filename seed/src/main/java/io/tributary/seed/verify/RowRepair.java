package io.tributary.seed.verify;

import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes rows of the replica equal to those of the shards. All rows are deleted first and inserted then, in one transaction: rows that have exchanged a unique
 * value do not stand in each other's way, and no row that is not among them is replaced. The transaction is not written to the replica's binlog, so that the
 * replica's GTIDs stay those of the stream.
 */
final class RowRepair {
    /** For the session that runs the statements. */
    static final List<String> PREPARE = List.of(
            "SET NAMES utf8mb4",
            "SET SESSION sql_log_bin = 0, foreign_key_checks = 0, time_zone = '+00:00', sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");

    private final RowComparison rows;

    RowRepair(RowComparison rows) {
        this.rows = rows;
    }

    /** The statements for these rows, in order. A row that several shards have is left as it is. */
    List<String> statements(List<RowKey> keys) {
        List<String> deletes = new ArrayList<>();
        List<String> inserts = new ArrayList<>();
        for (RowKey key : keys) {
            List<String> insert = rows.inserts(key);
            if (insert.size() <= 1) {
                deletes.add(rows.delete(key));
                inserts.addAll(insert);
            }
        }
        List<String> all = new ArrayList<>(List.of("START TRANSACTION"));
        all.addAll(deletes);
        all.addAll(inserts);
        all.add("COMMIT");
        return all;
    }

    /** Runs them. */
    static void run(SqlSession session, List<String> statements) {
        session.run(PREPARE.toArray(String[]::new));
        try {
            session.run(statements.toArray(String[]::new));
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }
}
