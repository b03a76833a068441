package io.tributary.seed.verify;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.ExecutedGtids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Brings the shards and the replica in relation through the checkpoints of the stream; see {@link ExecutedGtids}. */
final class StreamPosition {
    private static final long POLL_NANOS = 20_000_000;
    private static final Duration COMMIT_LIMIT = Duration.ofSeconds(5);

    private final TableServers servers;
    private final Supplier<Checkpoint> stream;
    private final Clock clock;

    /** @param stream returns the newest checkpoint; any thread */
    StreamPosition(TableServers servers, Supplier<Checkpoint> stream, Clock clock) {
        this.servers = servers;
        this.stream = stream;
        this.clock = clock;
    }

    /**
     * Waits until the replica shows all that SELECTs on these shards have seen before the call.
     *
     * @throws TributaryException NODE_UNREACHABLE if there is no such checkpoint within the limit, TARGET_UNFIT if the replica does not apply it
     */
    void awaitReplica(Collection<Peer> shards, Duration limit) {
        Map<String, GtidSet> executed = new TreeMap<>();
        shards.forEach(peer -> executed.put(peer.name(), settled(servers.shard(peer))));
        long deadline = clock.nanoTime() + limit.toNanos();
        List<Checkpoint> newest = new ArrayList<>(List.of(stream.get()));
        if (!holdsBefore(deadline, () -> {
            newest.set(0, stream.get());
            return newest.get(0).missing(executed).isEmpty();
        })) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE,
                    "stream: expected within " + limit.toSeconds()
                            + " s a checkpoint that contains what the shards have executed, found that it lacks "
                            + newest.get(0).missing(executed));
        }
        GtidSet wanted = newest.get(0).executed();
        if (!holdsBefore(deadline, () -> executed(servers.replica()).containsAll(wanted))) {
            throw servers.replica()
                    .unfit(
                            ErrorCode.TARGET_UNFIT,
                            "expected within " + limit.toSeconds() + " s that it has applied " + wanted.line()
                                    + ", found that it lacks "
                                    + wanted.minus(executed(servers.replica())).line() + status());
        }
    }

    /**
     * Waits until the shards show all that SELECTs on the replica have seen before the call.
     *
     * @throws TributaryException TARGET_UNFIT if the replica has transactions under the stream's UUID that the stream does not have
     */
    void awaitShards(Collection<Peer> shards, Duration limit) {
        GtidSet seen = settled(servers.replica());
        long deadline = clock.nanoTime() + limit.toNanos();
        List<Checkpoint> newest = new ArrayList<>(List.of(stream.get()));
        if (!holdsBefore(deadline, () -> {
            newest.set(0, stream.get());
            GtidSet has = newest.get(0).executed();
            return has.sids().stream().allMatch(sid -> isUpTo(seen, has, sid));
        })) {
            throw servers.replica()
                    .unfit(
                            ErrorCode.TARGET_UNFIT,
                            "expected no transactions that the stream does not have, found " + seen.line()
                                    + ", and the stream ends at "
                                    + newest.get(0).executed().line());
        }
        long visible = clock.nanoTime() + COMMIT_LIMIT.toNanos();
        for (Peer peer : shards) {
            GtidSet frontier = newest.get(0).frontiers().getOrDefault(peer.name(), GtidSet.EMPTY);
            // a frontier may begin with GTIDs that this server never had (shard.<name>.start); then the limit ends the
            // wait,
            // which is far longer than a commit takes
            var unused =
                    holdsBefore(visible, () -> executed(servers.shard(peer)).containsAll(frontier));
        }
    }

    private static boolean isUpTo(GtidSet seen, GtidSet has, Sid sid) {
        return seen.last(sid) <= has.last(sid);
    }

    private GtidSet settled(SqlSession session) {
        return new ExecutedGtids(session, clock).settled();
    }

    private GtidSet executed(SqlSession session) {
        return new ExecutedGtids(session, clock).now();
    }

    private boolean holdsBefore(long deadline, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (clock.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    /** What the replica says of its threads, if the account may ask. */
    private String status() {
        SqlSession session = servers.replica();
        // before 8.0.22 there is only the old word
        boolean isOld = session.isRefused(
                "SHOW REPLICA STATUS", MysqlError.ER_PARSE_ERROR, MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR);
        String word = isOld ? "Slave" : "Replica";
        try {
            QueryResult rows = session.query(isOld ? "SHOW SLAVE STATUS" : "SHOW REPLICA STATUS");
            return rows.isEmpty()
                    ? "; it has no replication source"
                    : "; " + word + "_IO_Running " + rows.text(0, word + "_IO_Running") + ", " + word + "_SQL_Running "
                            + rows.text(0, word + "_SQL_Running") + ", Last_Error '" + rows.text(0, "Last_Error") + "'";
        } catch (MysqlServerError refused) {
            return "; SHOW " + word.toUpperCase(Locale.ROOT) + " STATUS is refused: " + refused.serverMessage();
        }
    }
}
