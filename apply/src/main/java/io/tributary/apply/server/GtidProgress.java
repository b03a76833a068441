package io.tributary.apply.server;

import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each transaction has the GTID that it has in the stream, so the target's gtid_executed is the progress, and the server skips what it has executed.
 * The target can become a replica later. In strict order a transaction requires the GTID of the one before it.
 */
final class GtidProgress implements ApplyProgress {
    private static final Logger LOG = LoggerFactory.getLogger(GtidProgress.class);

    /** Errors of statements that were executed before. */
    private static final MysqlError[] DONE = {
        MysqlError.ER_DB_CREATE_EXISTS,
        MysqlError.ER_DB_DROP_EXISTS,
        MysqlError.ER_BAD_TABLE_ERROR,
        MysqlError.ER_TABLE_EXISTS_ERROR,
        MysqlError.ER_NO_SUCH_TABLE,
        MysqlError.ER_DUP_FIELDNAME,
        MysqlError.ER_DUP_KEYNAME,
        MysqlError.ER_CANT_DROP_FIELD_OR_KEY,
        MysqlError.ER_BAD_FIELD_ERROR
    };

    private final SqlSession control;
    private final boolean isStrict;
    private final boolean isAtomic;
    private final AtomicBoolean isFirstStatement = new AtomicBoolean(true);

    /**
     * @param control a session for queries; not owned
     * @param isStrict whether the order of commits is checked
     * @param isAtomic whether statements and their GTIDs are committed together (MySQL 8.0)
     */
    GtidProgress(SqlSession control, boolean isStrict, boolean isAtomic) {
        this.control = control;
        this.isStrict = isStrict;
        this.isAtomic = isAtomic;
    }

    @Override
    public GtidSet executed() {
        return GtidSet.parse(control.value("SELECT @@GLOBAL.gtid_executed").replace("\n", ""));
    }

    @Override
    public void add(StatementPacket packet, ApplyBatch batch, RowForm rows, Turn turn) {
        boolean isFirst = true;
        for (ReplayTransaction transaction : batch.transactions()) {
            packet.add(next(transaction));
            packet.add("BEGIN");
            transaction.pieces().forEach(events -> rows.add(packet, events));
            if (isFirst) {
                turn.await(packet, batch);
                if (isStrict && batch.previous() > 0) {
                    packet.add(StatementPacket.require("GTID_SUBSET('"
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
        session.run(next(transaction), "BEGIN");
    }

    @Override
    public void commit(SqlSession session, long before, ReplayTransaction transaction) {
        session.run("COMMIT", "SET gtid_next='AUTOMATIC'");
    }

    @Override
    public void execute(SqlSession session, long before, ApplyStatement statement, ReplayTransaction transaction) {
        boolean mayBeDone = isFirstStatement.getAndSet(false) && !isAtomic;
        session.run(next(transaction));
        try {
            statement.run(session);
            session.run("SET gtid_next='AUTOMATIC'");
        } catch (MysqlServerError e) {
            session.run("ROLLBACK", "SET gtid_next='AUTOMATIC'");
            if (!mayBeDone || !e.is(DONE)) {
                throw session.failed(statement + ", transaction " + transaction.gtid() + " of the stream", e);
            }
            LOG.info("statement was executed before: gtid={} error=\"{}\"", transaction.gtid(), e.getMessage());
            skip(session, before, transaction);
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

    @Override
    public void skip(SqlSession session, long before, ReplayTransaction transaction) {
        session.run(next(transaction), "BEGIN", "COMMIT", "SET gtid_next='AUTOMATIC'");
    }

    @Override
    public void checkpoint(GtidSet applied) {
        // the server has it
    }
}
