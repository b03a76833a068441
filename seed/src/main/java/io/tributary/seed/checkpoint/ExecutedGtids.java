package io.tributary.seed.checkpoint;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * What a server has executed, in relation to what its SELECTs show.
 *
 * <p>A MySQL server sends a transaction to readers of its binlog first, then shows it to SELECTs, and then adds it to gtid_executed; meanwhile the
 * transaction is in gtid_owned. MariaDB adds a transaction to gtid_binlog_state when it is in the binlog, and shows it to SELECTs a moment later.
 */
public final class ExecutedGtids {
    private static final long POLL_NANOS = 20_000_000;
    private static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);
    private static final Pattern OWNER_BEFORE_NUMBER = Pattern.compile("#\\d+(?=:)");
    private static final Pattern LAST_OWNER = Pattern.compile("#\\d+?(?=$|,|\\s|[0-9a-fA-F]{8}-)");

    private final SqlSession session;
    private final Clock clock;

    /** @param session not owned */
    public ExecutedGtids(SqlSession session, Clock clock) {
        this.session = session;
        this.clock = clock;
    }

    /**
     * What the server says that it has executed.
     *
     * @throws TributaryException *_UNREACHABLE, SQL_FAILED or TARGET_FAILED
     */
    public GtidSet now() {
        if (!session.isMariadb()) {
            return GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed"));
        }
        try {
            return session.connection()
                    .await(ShardFacts.ask(session.connection()), session.peer().timeout())
                    .executed();
        } catch (MysqlServerError e) {
            throw session.failed("the query for executed transactions", e);
        }
    }

    /** A set that contains every transaction that a SELECT on the server has shown before the call. */
    public GtidSet settled() {
        if (session.isMariadb()) {
            return now();
        }
        GtidSet before = owned();
        GtidSet open = before;
        long deadline = clock.nanoTime() + COMMIT_LIMIT.toNanos();
        while (!open.isEmpty() && clock.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            open = owned().intersect(before);
        }
        return now().union(open);
    }

    /**
     * Waits until SELECTs show all these transactions, as far as the server has them in its binlog.
     *
     * @throws TributaryException SHARD_UNREACHABLE if that takes longer than the limit
     */
    public void awaitVisible(GtidSet logged, Duration limit) {
        boolean isVisible = session.isMariadb()
                ? awaitSnapshot(limit)
                : holdsWithin(limit, () -> owned().intersect(logged).isEmpty());
        if (!isVisible) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    session.peer() + ": expected within " + limit.toSeconds()
                            + " s the end of commits that were read from its binlog, found that some have not ended");
        }
    }

    /** Until a snapshot contains everything that is in the binlog now. */
    private boolean awaitSnapshot(Duration limit) {
        QueryResult end = session.query("SHOW MASTER STATUS");
        if (end.isEmpty()) {
            return true;
        }
        String file = end.rows().get(0).text(0);
        long offset = Long.parseLong(end.rows().get(0).text(1));
        return holdsWithin(limit, () -> {
            session.run("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            String snapshotFile = status("binlog_snapshot_file");
            long snapshotOffset = Long.parseLong(status("binlog_snapshot_position"));
            session.run("ROLLBACK");
            boolean isLater = snapshotFile.length() > file.length()
                    || snapshotFile.length() == file.length() && snapshotFile.compareTo(file) > 0;
            return isLater || snapshotFile.equals(file) && snapshotOffset >= offset;
        });
    }

    private String status(String variable) {
        return session.query("SHOW STATUS LIKE '" + variable + "'")
                .rows()
                .get(0)
                .text(1);
    }

    private boolean holdsWithin(Duration limit, BooleanSupplier condition) {
        long deadline = clock.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (clock.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    private GtidSet owned() {
        return owned(session.value("SELECT @@GLOBAL.gtid_owned"));
    }

    /**
     * Reads gtid_owned: {@code uuid:number#thread:number#thread}, and the next UUID without anything between (Owned_gtids::to_string in
     * sql/rpl_gtid.h), so that digits of the thread and of the UUID are adjacent.
     */
    static GtidSet owned(String text) {
        String numbers = OWNER_BEFORE_NUMBER.matcher(text).replaceAll("");
        return GtidSet.parse(LAST_OWNER.matcher(numbers).replaceAll(",").replaceFirst(",\\s*$", ""));
    }
}
