package io.tributary.seed.verify;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Sessions of one thread on the replica and on the shards. Another thread may close them, which ends running statements. */
public final class TableServers implements AutoCloseable {
    private static final String LOAD = "SHOW GLOBAL STATUS LIKE 'Threads_running'";
    private static final long LOAD_PAUSE_NANOS = 200_000_000;
    private static final Duration MOST_LOAD_PAUSE = Duration.ofMinutes(10);

    /** What makes texts and comparisons independent of a server's settings. */
    private static final String[] PREPARE = {
        "SET NAMES utf8mb4",
        "SET SESSION time_zone = '+00:00', sql_mode = '', sql_select_limit = 18446744073709551615, sql_big_selects = 1,"
                + " innodb_lock_wait_timeout = 2",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"
    };

    private final MysqlClient client;
    private final SqlSession replica;
    private final Map<String, SqlSession> shards = new ConcurrentHashMap<>();

    public TableServers(MysqlClient client, Peer replica) {
        this.client = client;
        this.replica = prepared(client, replica);
    }

    /** A new session on a server. */
    public static SqlSession prepared(MysqlClient client, Peer peer) {
        SqlSession session = SqlSession.open(client, peer);
        try {
            session.run(PREPARE);
            var unused = session.isRefused(
                    session.isMariadb() ? "SET SESSION max_statement_time = 0" : "SET SESSION max_execution_time = 0",
                    MysqlError.ER_UNKNOWN_SYSTEM_VARIABLE);
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    public SqlSession replica() {
        return replica;
    }

    /** Uses a session that the caller has prepared for a shard; it is closed with the others. */
    public void use(SqlSession session) {
        shards.put(session.peer().name(), session);
    }

    /** The session on a shard, which is opened first if there is none. */
    public SqlSession shard(Peer peer) {
        return shards.computeIfAbsent(peer.name(), name -> prepared(client, peer));
    }

    /** Waits while a server of these has more running threads; after ten minutes it continues. */
    void awaitLoad(int most, Collection<Peer> peers, Clock clock) {
        long deadline = clock.nanoTime() + MOST_LOAD_PAUSE.toNanos();
        List<SqlSession> all = new ArrayList<>(List.of(replica));
        peers.forEach(peer -> all.add(shard(peer)));
        while (all.stream().anyMatch(each -> running(each) > most) && clock.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOAD_PAUSE_NANOS);
        }
    }

    private static long running(SqlSession session) {
        QueryResult answer = session.query(LOAD);
        return answer.isEmpty() ? 0 : Long.parseLong(answer.rows().get(0).text(1));
    }

    @Override
    public void close() {
        replica.close();
        shards.values().forEach(SqlSession::close);
    }
}
