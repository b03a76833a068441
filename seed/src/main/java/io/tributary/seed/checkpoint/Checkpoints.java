package io.tributary.seed.checkpoint;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Reads checkpoints from a node's MySQL port. For one thread. */
public final class Checkpoints {
    private static final String SHOW = "SHOW TRIBUTARY CHECKPOINT";
    private static final long POLL_NANOS = 50_000_000;

    private final SqlSession node;
    private final Clock clock;

    /** @param node a session on the node's MySQL port, whose user may read all tables; not owned */
    public Checkpoints(SqlSession node, Clock clock) {
        this.node = node;
        this.clock = clock;
    }

    /**
     * The newest one.
     *
     * @throws TributaryException READER_REFUSED, NODE_UNREACHABLE
     */
    public Checkpoint newest() {
        try {
            QueryResult rows = node.query(SHOW);
            Map<String, GtidSet> frontiers = new HashMap<>();
            GtidSet executed = GtidSet.EMPTY;
            for (int row = 0; row < rows.rows().size(); row++) {
                executed = GtidSet.parse(rows.text(row, "Executed_Gtid_Set"));
                frontiers.put(rows.text(row, "Shard"), GtidSet.parse(rows.text(row, "Frontier")));
            }
            return new Checkpoint(executed, frontiers);
        } catch (MysqlServerError e) {
            throw node.failed(SHOW, e);
        }
    }

    /**
     * Waits for the first checkpoint that contains these transactions.
     *
     * @param wanted by shard name
     * @throws TributaryException NODE_UNREACHABLE if there is none within the limit, with the shards that are missing; READER_REFUSED
     */
    public Checkpoint await(Map<String, GtidSet> wanted, Duration limit) {
        long deadline = clock.nanoTime() + limit.toNanos();
        while (true) {
            Checkpoint newest = newest();
            Map<String, GtidSet> missing = newest.missing(wanted);
            if (missing.isEmpty()) {
                return newest;
            }
            if (clock.nanoTime() - deadline > 0) {
                throw new TributaryException(
                        ErrorCode.NODE_UNREACHABLE,
                        node.peer() + ": expected within " + limit.toSeconds()
                                + " s a checkpoint that contains all transactions of the shards, found that it lacks "
                                + missing);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
