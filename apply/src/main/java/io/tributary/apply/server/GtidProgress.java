package io.tributary.apply.server;

import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.sql.SqlNames;

/**
 * Each transaction has the GTID that it has in the stream, so the target's gtid_executed is the progress, and the server skips what it has executed.
 * The target can become a replica later. A start that is given once is stored in {@code tributary_apply.executed}. In strict order a transaction requires the GTID of the one before it.
 */
final class GtidProgress implements ApplyProgress {
    private final SqlSession control;
    private final boolean isStrict;
    private final boolean isAtomic;
    private final StatementMarks marks;
    private final String stream;

    /**
     * Begins a run.
     *
     * @param control a session for queries; not owned
     * @param start transactions that the target does not need; they are stored
     * @param isAtomic whether statements and their GTIDs are committed together (MySQL 8.0)
     */
    GtidProgress(SqlSession control, ApplyStream stream, GtidSet start, boolean isAtomic) {
        this.control = control;
        this.isStrict = stream.isStrict();
        this.isAtomic = isAtomic;
        this.marks = new StatementMarks(control, stream.name());
        this.stream = SqlNames.literal(stream.name());
        if (!isAtomic || !start.isEmpty()) {
            control.run(TableProgress.CREATE_SCHEMA, TableProgress.CREATE_EXECUTED, StatementMarks.CREATE);
        }
        if (!start.isEmpty()) {
            control.run("INSERT IGNORE INTO " + TableProgress.SCHEMA + ".executed VALUES (" + this.stream + ", '"
                    + start.line() + "')");
        }
    }

    @Override
    public GtidSet executed() {
        GtidSet executed =
                GtidSet.parse(control.value("SELECT @@GLOBAL.gtid_executed").replace("\n", ""));
        boolean hasStart = control.value("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
                        + TableProgress.SCHEMA + "' AND TABLE_NAME = 'executed'")
                != null;
        String start = hasStart
                ? control.value("SELECT gtids FROM " + TableProgress.SCHEMA + ".executed WHERE name = " + stream)
                : null;
        return start == null ? executed : executed.union(GtidSet.parse(start));
    }

    @Override
    public void add(StatementPacket packet, ApplyBatch batch, RowForm rows, Turn turn) {
        boolean isFirst = true;
        for (ReplayTransaction transaction : batch.transactions()) {
            packet.add(next(transaction));
            if (transaction.pieces().isEmpty()) {
                packet.add("BEGIN"); // else there would be nothing to commit with the GTID
            }
            transaction.pieces().forEach(events -> rows.add(packet, events));
            if (isFirst) {
                turn.await(packet, batch);
                if (isStrict && batch.previous() > 0) {
                    packet.add(StatementPacket.Check.ORDER.require("GTID_SUBSET('"
                            + new Gtid(transaction.gtid().sid(), batch.previous()) + "', @@GLOBAL.gtid_executed)"));
                }
                isFirst = false;
            }
            packet.add("COMMIT");
        }
        turn.pass(packet, batch);
    }

    @Override
    public long previous() {
        return 0;
    }

    private static String next(ReplayTransaction transaction) {
        return "SET gtid_next='" + transaction.gtid() + "'";
    }

    @Override
    public void begin(SqlSession session, ReplayTransaction transaction) {
        session.run(next(transaction)); // its first row begins it
    }

    @Override
    public void commit(SqlSession session, long before, ReplayTransaction transaction) {
        session.run("COMMIT", "SET gtid_next='AUTOMATIC'");
    }

    @Override
    public void execute(SqlSession session, long before, ApplyStatement statement, ReplayTransaction transaction) {
        if (!isAtomic) {
            marks.executeOnce(session, statement.withGtid(transaction), transaction);
            session.run("SET gtid_next='AUTOMATIC'");
            if (!executed().contains(transaction.gtid())) { // it was executed without its GTID before the server ended
                skip(session, transaction);
            }
            control.run(marks.remove());
            return;
        }
        session.run(next(transaction));
        try {
            statement.run(session);
            session.run("SET gtid_next='AUTOMATIC'");
        } catch (MysqlServerError e) {
            session.run("ROLLBACK", "SET gtid_next='AUTOMATIC'");
            throw session.failed(statement + ", transaction " + transaction.gtid() + " of the stream", e);
        }
    }

    @Override
    public boolean beginWith(SqlSession session, ApplyStatement statement, ReplayTransaction transaction) {
        session.run(next(transaction));
        try {
            statement.run(session);
            return true;
        } catch (MysqlServerError e) {
            session.run("ROLLBACK", "SET gtid_next='AUTOMATIC'");
            throw session.failed(statement + ", transaction " + transaction.gtid() + " of the stream", e);
        }
    }

    private static void skip(SqlSession session, ReplayTransaction transaction) {
        session.run(next(transaction), "BEGIN", "COMMIT", "SET gtid_next='AUTOMATIC'");
    }

    @Override
    public void checkpoint(GtidSet applied) {
        // the server has it
    }
}
