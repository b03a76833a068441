package io.tributary.seed.checkpoint;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.ServerVersion;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.seed.session.Peer;
import io.tributary.seed.session.SqlSession;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** The transactions that shards have executed. A server counts a transaction as executed after its rows are visible. For one thread. */
public final class ShardPositions implements AutoCloseable {
    private static final long POLL_NANOS = 20_000_000;

    private final Map<String, SqlSession> sessions = new TreeMap<>();
    private final Clock clock;

    /**
     * Connects to the shards.
     *
     * @throws TributaryException SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED
     */
    public ShardPositions(MysqlClient client, List<Peer> shards, Clock clock) {
        this.clock = clock;
        try {
            shards.forEach(shard -> sessions.put(shard.name(), SqlSession.open(client, shard)));
        } catch (TributaryException e) {
            close();
            throw e;
        }
    }

    /** The oldest version of a shard. */
    public ServerVersion oldestVersion() {
        return sessions.values().stream()
                .map(session -> ServerVersion.of(session.connection().serverVersion()))
                .min(Comparator.comparing(ServerVersion::mariadb).thenComparing(ServerVersion::number))
                .orElse(ServerVersion.STANDARD);
    }

    /**
     * What each shard has executed now, by its name.
     *
     * @throws TributaryException SHARD_UNREACHABLE, SQL_FAILED
     */
    public Map<String, GtidSet> executed() {
        Map<String, GtidSet> executed = new TreeMap<>();
        sessions.forEach((name, session) -> executed.put(name, executed(session)));
        return executed;
    }

    private static GtidSet executed(SqlSession session) {
        try {
            return session.connection()
                    .await(ShardFacts.ask(session.connection()), session.peer().timeout())
                    .executed();
        } catch (MysqlServerError e) {
            throw session.failed("the query for executed transactions", e);
        }
    }

    /**
     * Waits until the rows of all transactions of a checkpoint are visible on the shards. A server sends a transaction to readers of its binlog
     * shortly before that.
     *
     * @throws TributaryException SHARD_UNREACHABLE if that takes longer than the limit, SQL_FAILED
     */
    public void awaitVisible(Checkpoint checkpoint, Duration limit) {
        long deadline = clock.nanoTime() + limit.toNanos();
        for (SqlSession session : sessions.values()) {
            GtidSet wanted = checkpoint.frontiers().getOrDefault(session.peer().name(), GtidSet.EMPTY);
            GtidSet missing = wanted.minus(executed(session));
            while (!missing.isEmpty()) {
                if (clock.nanoTime() - deadline > 0) {
                    throw new TributaryException(
                            ErrorCode.SHARD_UNREACHABLE,
                            session.peer() + ": expected within " + limit.toSeconds()
                                    + " s the transactions that were read from its binlog, found that it has not"
                                    + " executed " + missing.line());
                }
                LockSupport.parkNanos(POLL_NANOS);
                missing = wanted.minus(executed(session));
            }
        }
    }

    @Override
    public void close() {
        sessions.values().forEach(SqlSession::close);
    }
}
