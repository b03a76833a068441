package io.tributary.seed.verify;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The comparison of rows that are locked on their shards. While they are locked they do not change, so after the replica shows all that the shards had
 * executed before, it has no later change of them to apply: rows that differ then differ for certain, and may be corrected on the replica.
 *
 * <p>The locks are shared ones of REPEATABLE READ, which also keep a missing row from being inserted. They delay statements that change these rows for as
 * long as the replica lags.
 */
final class Confirmation {
    private static final Logger LOG = LoggerFactory.getLogger(Confirmation.class);
    private static final String LOCK = " LOCK IN SHARE MODE";
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int LOCK_DEADLOCK = 1213;
    private static final int MOST_TRIES = 3;
    private static final Duration MOST_LOCKED = Duration.ofSeconds(10);

    private final TableReader reader;
    private final StreamPosition position;

    Confirmation(TableReader reader, StreamPosition position) {
        this.reader = reader;
        this.position = position;
    }

    /**
     * Locks rows, compares them and unlocks them.
     *
     * @param conditions of the rows, at most some dozens
     * @param whileLocked gets the conditions whose rows differ
     * @return false if the rows could not be locked, or the replica lags too much
     */
    boolean run(List<String> conditions, Consumer<List<String>> whileLocked) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            try {
                runOnce(conditions, whileLocked);
                return true;
            } catch (TributaryException e) {
                if (!mayPass(e)) {
                    throw e;
                }
                LOG.debug("rows not compared under locks: attempt={}", tries + 1, e);
            }
        }
        return false;
    }

    /** A lock that another transaction has, or a replica that lags too much to hold locks for as long. */
    private static boolean mayPass(TributaryException failure) {
        return failure.getCause() instanceof MysqlServerError error
                ? error.errorCode() == LOCK_WAIT_TIMEOUT || error.errorCode() == LOCK_DEADLOCK
                : failure.code() == ErrorCode.TARGET_UNFIT || failure.code() == ErrorCode.NODE_UNREACHABLE;
    }

    private void runOnce(List<String> conditions, Consumer<List<String>> whileLocked) {
        List<SqlSession> shards =
                reader.shards().stream().map(reader.servers()::shard).toList();
        try {
            shards.forEach(each -> each.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION"));
            List<RowDigest> here = reader.onShards(conditions, LOCK);
            position.awaitReplica(reader.shards(), MOST_LOCKED);
            List<RowDigest> there = reader.onReplica(conditions);
            List<String> different = new ArrayList<>();
            for (int i = 0; i < conditions.size(); i++) {
                if (!here.get(i).equals(there.get(i))) {
                    different.add(conditions.get(i));
                }
            }
            whileLocked.accept(different);
        } finally {
            shards.forEach(each -> each.run("ROLLBACK"));
        }
    }
}
