package io.tributary.apply.server;

import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.StatementPacket;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.apply.schedule.ApplySchedule;
import io.tributary.apply.schedule.ScheduleFigures;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session that applies batches, each as one packet if it is not large. For one thread; {@link #close} by any. */
public final class ApplySession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApplySession.class);
    private static final int MOST_ATTEMPTS = 10;

    /** BINLOG reports some errors of the storage engine as unknown. */
    private static final MysqlError[] TRANSIENT = {
        MysqlError.ER_LOCK_DEADLOCK,
        MysqlError.ER_LOCK_WAIT_TIMEOUT,
        MysqlError.ER_UNKNOWN_ERROR,
        MysqlError.ER_USER_LOCK_DEADLOCK
    };

    private final SqlSession session;
    private final ApplyProgress progress;
    private final RowForm rows;
    private final Turn turn;
    private final Backoff pauses = new Backoff(Duration.ofMillis(2), Duration.ofMillis(200));

    /**
     * What sessions of one run have in common.
     *
     * @param server opens the sessions
     * @param turn the order in which they commit
     */
    public record Run(ApplyServer server, ApplyProgress progress, Turn turn) {}

    /**
     * Connects.
     *
     * @param index of the session, from 0
     * @param rows for this session only
     * @throws TributaryException TARGET_UNREACHABLE, TARGET_LOGIN_REFUSED, TARGET_FAILED
     */
    public ApplySession(Run run, int index, RowForm rows) {
        this.session = run.server().openRows();
        this.progress = run.progress();
        this.rows = rows;
        this.turn = run.turn();
        try {
            turn.open(session, index);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Applies batches until the schedule has no more; an error ends the schedule. */
    public void run(ApplySchedule schedule, ScheduleFigures figures, int index) {
        try {
            ApplyBatch next = schedule.take(index);
            while (next != null) {
                apply(next, schedule, figures);
                schedule.finished(next);
                next = schedule.take(index);
            }
        } catch (RuntimeException e) {
            schedule.fail(e);
        } catch (Error e) {
            schedule.fail(new TributaryException(ErrorCode.INTERNAL, "a session of the target failed: " + e, e));
            throw e;
        }
    }

    private void apply(ApplyBatch batch, ApplySchedule schedule, ScheduleFigures figures) {
        for (int attempt = 1; ; attempt++) {
            try {
                StatementPacket packet = new StatementPacket(session);
                progress.add(packet, batch, rows, turn);
                packet.send();
                pauses.reset();
                return;
            } catch (MysqlServerError e) {
                rollBack(e);
                if (!isTransient(e) || attempt == MOST_ATTEMPTS) {
                    throw failed(batch, attempt, e);
                }
                figures.retried();
                LOG.info(
                        "batch is repeated: transactions=\"{}\" attempt={} error=\"{}\"",
                        batch,
                        attempt,
                        e.getMessage());
                if (turn == Turn.NONE) {
                    LockSupport.parkNanos(pauses.nextNanos());
                } else if (!schedule.awaitOldest(batch)) { // then no later batch holds what this one needs
                    throw failed(batch, attempt, e);
                }
            }
        }
    }

    /** A server that refuses a long packet also ends the connection: its error is reported, not that of the connection. */
    private void rollBack(MysqlServerError error) {
        try {
            session.run("ROLLBACK", "SET foreign_key_checks = 1");
        } catch (TributaryException lost) {
            TributaryException failure = session.failed("a batch of transactions", error);
            failure.addSuppressed(lost);
            throw failure;
        }
    }

    private static boolean isTransient(MysqlServerError error) {
        return error.is(TRANSIENT) || StatementPacket.Check.TURN.hasFailed(error);
    }

    private TributaryException failed(ApplyBatch batch, int attempt, MysqlServerError error) {
        if (StatementPacket.Check.ROWS.hasFailed(error)) {
            return session.unfit(
                    ErrorCode.TARGET_FAILED,
                    batch
                            + ": expected that an UPDATE or DELETE finds its rows, and that no other applier writes, found"
                            + " another number of rows | compare the tables (tributary verify), correct the rows; the node"
                            + " continues by itself");
        }
        if (StatementPacket.Check.ORDER.hasFailed(error)) {
            return session.unfit(
                    ErrorCode.TARGET_FAILED,
                    batch + ": expected that transaction " + batch.previous()
                            + " was applied before it, found that it was not; the node tries again by itself");
        }
        return session.failed(batch + ", attempt " + attempt, error);
    }

    @Override
    public void close() {
        session.close();
    }
}
