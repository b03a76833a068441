package io.tributary.seed.checkpoint;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The transactions that shards have executed. For one thread. */
public final class ShardPositions implements AutoCloseable {
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

    /** The shards, each limited to the server that answers now: what another one has executed is not known here. */
    public List<Peer> peers() {
        return sessions.values().stream()
                .map(session -> session.peer().only(session.identity()))
                .toList();
    }

    /** The newest version of a shard; MariaDB counts as older than MySQL. */
    public ServerVersion newestVersion() {
        return sessions.values().stream()
                .map(session -> ServerVersion.of(session.connection().serverVersion()))
                .max(Comparator.comparing((ServerVersion version) -> !version.mariadb())
                        .thenComparing(ServerVersion::number))
                .orElse(ServerVersion.STANDARD);
    }

    /**
     * By shard name, a set that contains every transaction that a SELECT has shown before the call.
     *
     * @throws TributaryException SHARD_UNREACHABLE, SQL_FAILED
     */
    public Map<String, GtidSet> executed() {
        Map<String, GtidSet> executed = new TreeMap<>();
        sessions.forEach((name, session) -> executed.put(name, new ExecutedGtids(session, clock).settled()));
        return executed;
    }

    /**
     * Waits until SELECTs on the shards show all transactions of a checkpoint. A server sends a transaction to readers of its binlog shortly before
     * that.
     *
     * @throws TributaryException SHARD_UNREACHABLE if that takes longer than the limit, SQL_FAILED
     */
    public void awaitVisible(Checkpoint checkpoint, Duration limit) {
        sessions.forEach((name, session) -> new ExecutedGtids(session, clock)
                .awaitVisible(checkpoint.frontiers().getOrDefault(name, GtidSet.EMPTY), limit));
    }

    @Override
    public void close() {
        sessions.values().forEach(SqlSession::close);
    }
}
