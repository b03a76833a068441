package io.tributary.seed.replay;

import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.replica.TargetWriters;
import java.util.List;

/**
 * The GTIDs of the transactions that were replayed together and are not in the target's {@code gtid_executed} yet. A row of the table is written in the
 * transaction that has their rows, so it says exactly what was applied. Nothing of it is in the target's binlog.
 */
public final class ReplayLog {
    private static final String TABLE = TargetWriters.SCHEMA + ".replayed";

    private ReplayLog() {}

    /**
     * Adds them to the target's gtid_executed and gtid_purged. No replay may run.
     *
     * @param writers of the newest seed
     * @throws io.tributary.common.error.TributaryException TARGET_FAILED, TARGET_UNREACHABLE
     */
    public static void fold(TargetWriters writers) {
        try (SqlSession session = writers.open()) {
            session.run(
                    "SET SESSION sql_log_bin = 0",
                    "CREATE TABLE IF NOT EXISTS " + TABLE
                            + " (first BIGINT PRIMARY KEY, gtids LONGTEXT CHARACTER SET ascii NOT NULL) ENGINE=InnoDB");
            fold(session, writers);
        }
    }

    /** The same in a session that does not write the binlog. */
    static void fold(SqlSession session, TargetWriters writers) {
        GtidSet.Builder replayed = new GtidSet.Builder();
        try {
            for (QueryResult.Row row :
                    session.query("SELECT gtids FROM " + TABLE).rows()) {
                replayed.addAll(GtidSet.parse(row.text(0)));
            }
        } catch (MysqlServerError e) {
            throw session.failed("SELECT FROM " + TABLE, e);
        }
        GtidSet executed = GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed"));
        GtidSet missing = replayed.build().minus(executed);
        session.run(writers.check());
        if (!missing.isEmpty()) {
            session.run("SET GLOBAL gtid_purged = " + SqlNames.literal("+" + missing.line()));
        }
        session.run("START TRANSACTION", "DELETE FROM " + TABLE, writers.check(), "COMMIT");
    }

    /** The statement that stores these transactions, in the transaction that applies them. */
    static String store(List<ReplayTransaction> transactions) {
        GtidSet.Builder gtids = new GtidSet.Builder();
        long first = Long.MAX_VALUE;
        for (ReplayTransaction transaction : transactions) {
            gtids.add(transaction.gtid());
            first = Math.min(first, transaction.gtid().gno());
        }
        return "INSERT INTO " + TABLE + " VALUES (" + first + ", '"
                + gtids.build().line() + "')";
    }
}
