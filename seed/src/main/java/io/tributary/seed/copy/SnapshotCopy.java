package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.RowQueue;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.ShardTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Copies tables whose rows must be those of one moment: a table without a row key, because an event that is applied twice would double a row; and tables
 * whose foreign keys change rows by themselves. First {@link #lock} stops writes to all their members and opens snapshots. Then the caller waits for the
 * first checkpoint that contains {@link #executed()}, which is the place where the events of these tables begin, and only then calls {@link #unlock()}: a
 * later event before that checkpoint would be lost. {@link #copy} reads the snapshots. For one thread.
 */
public final class SnapshotCopy implements AutoCloseable {
    private static final int MOST_TRIES = 10;
    /** A shard ends a session after so long without a statement, so that locks end soon if this process or its machine does not run any more. */
    private static final Duration MOST_LOCKED = Duration.ofSeconds(40);

    private static final int MOST_SNAPSHOT_SECONDS = 600;
    private static final long KEEP_OPEN_NANOS = 60_000_000_000L;

    private final List<LogicalTable> tables;
    private final Duration mostLocked;
    private final Map<Peer, List<ShardTable>> members = new LinkedHashMap<>();
    private final Map<Peer, SqlSession> locks = new LinkedHashMap<>();
    private final Map<Peer, SqlSession> snapshots = new LinkedHashMap<>();
    private final Map<String, GtidSet> executed = new TreeMap<>();

    private SnapshotCopy(List<LogicalTable> tables, Duration mostLocked) {
        this.tables = List.copyOf(tables);
        this.mostLocked = mostLocked;
        for (LogicalTable table : tables) {
            for (ShardTable member : table.members()) {
                members.computeIfAbsent(member.shard(), same -> new ArrayList<>())
                        .add(member);
            }
        }
    }

    /**
     * Locks all members of the tables against writes, on all shards at the same time. An attempt waits 5 s at most, and writes wait as long; there are 10
     * attempts. If {@link #unlock()} is not called within 40 s, the shards may end the locks, and it will fail.
     *
     * @throws TributaryException SEED_FAILED if a transaction does not end; SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED, SQL_FAILED without the right
     *     LOCK TABLES
     */
    public static SnapshotCopy lock(MysqlClient client, List<LogicalTable> tables) {
        return lock(client, tables, MOST_LOCKED);
    }

    /** The same with another time after which the shards end the locks, in whole seconds. */
    static SnapshotCopy lock(MysqlClient client, List<LogicalTable> tables, Duration mostLocked) {
        SnapshotCopy copy = new SnapshotCopy(tables, mostLocked);
        try {
            copy.open(client);
            for (int tries = 1; !copy.tryLock(); tries++) {
                if (tries == MOST_TRIES) {
                    throw copy.busy();
                }
                copy.unlockTables();
                for (int i = 0; i < tries; i++) {
                    Pause.upTo(Long.MAX_VALUE);
                }
            }
            copy.openSnapshots();
            return copy;
        } catch (RuntimeException e) {
            copy.close();
            throw e;
        }
    }

    private void open(MysqlClient client) {
        for (Peer shard : members.keySet()) {
            SqlSession lock = CopySessions.shard(client, shard, "READ COMMITTED");
            locks.put(shard, lock);
            long seconds = mostLocked.toSeconds();
            lock.run("SET SESSION lock_wait_timeout = 5, wait_timeout = " + seconds + ", net_read_timeout = " + seconds
                    + ", net_write_timeout = " + seconds);
            SqlSession snapshot = CopySessions.shard(client, shard, "REPEATABLE READ");
            snapshots.put(shard, snapshot);
            snapshot.run("SET SESSION wait_timeout = " + MOST_SNAPSHOT_SECONDS);
        }
    }

    private boolean tryLock() {
        Map<Peer, CompletableFuture<QueryResult>> answers = new LinkedHashMap<>();
        locks.forEach((shard, lock) -> answers.put(shard, lock.send("LOCK TABLES " + lockText(shard))));
        boolean areLocked = true;
        for (Map.Entry<Peer, CompletableFuture<QueryResult>> answer : answers.entrySet()) {
            areLocked &= isLocked(answer.getKey(), answer.getValue());
        }
        return areLocked;
    }

    private String lockText(Peer shard) {
        return members.get(shard).stream()
                .map(member -> SqlNames.name(member.physical()) + " READ")
                .collect(Collectors.joining(", "));
    }

    private boolean isLocked(Peer shard, CompletableFuture<QueryResult> answer) {
        SqlSession lock = locks.get(shard);
        try {
            var unused = lock.await(answer);
            return true;
        } catch (MysqlServerError e) {
            if (e.is(MysqlError.ER_LOCK_WAIT_TIMEOUT)) {
                return false;
            }
            boolean isDenied = e.is(MysqlError.ER_DBACCESS_DENIED_ERROR, MysqlError.ER_TABLEACCESS_DENIED_ERROR);
            throw isDenied ? denied(shard, lockText(shard)) : lock.failed("LOCK TABLES", e);
        }
    }

    private static TributaryException denied(Peer shard, String tables) {
        return new TributaryException(
                ErrorCode.SHARD_UNFIT,
                shard
                        + ": expected the right LOCK TABLES, because tables without a primary key, or with foreign keys that"
                        + " change rows, are copied from a snapshot: " + tables
                        + "; found none | GRANT LOCK TABLES ON *.* TO '"
                        + shard.endpoint().credentials().user() + "'; or leave these tables out with --tables");
    }

    private TributaryException busy() {
        return new TributaryException(
                ErrorCode.SEED_FAILED,
                "expected READ locks on " + members.values()
                        + " within 5 s, found transactions that have written them" + " and do not end, in "
                        + MOST_TRIES + " attempts; end these transactions, or leave these tables out");
    }

    private void openSnapshots() {
        snapshots.forEach((shard, session) -> {
            SqlSession lock = locks.get(shard);
            ShardFacts facts = lock.connection().await(ShardFacts.ask(lock.connection()), shard.timeout());
            executed.put(shard.name(), facts.executed());
            session.run("START TRANSACTION WITH CONSISTENT SNAPSHOT");
        });
    }

    /** By shard name, transactions that include all of which the snapshots contain rows of these tables. */
    public Map<String, GtidSet> executed() {
        return Map.copyOf(executed);
    }

    /**
     * Lets the shards write the tables again.
     *
     * @throws TributaryException SHARD_UNREACHABLE if a lock has ended before, so that the caller cannot know what the tables were when it waited
     */
    public void unlock() {
        try {
            locks.forEach(SnapshotCopy::unlock);
        } finally {
            closeLocks();
        }
    }

    private static void unlock(Peer shard, SqlSession lock) {
        try {
            var unused = lock.query("UNLOCK TABLES");
        } catch (TributaryException | MysqlServerError e) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    shard + ": expected READ locks until the stream contains the snapshot, found that their session has"
                            + " ended before: " + e.getMessage() + " | run the seed again",
                    e);
        }
    }

    private void closeLocks() {
        locks.values().forEach(SqlSession::close);
        locks.clear();
    }

    private void unlockTables() {
        locks.values().forEach(session -> session.run("UNLOCK TABLES"));
    }

    /**
     * Empties the target's tables and writes all rows of the snapshots; blocks until they are committed. After a failure begin with a new lock.
     *
     * @param to the copy of the other tables, whose target and limits count
     * @throws TributaryException as {@link Copy#copy}
     */
    public void copy(Copy to, CopyListener listener) {
        try (CopyTarget target = to.openTarget()) {
            for (LogicalTable table : tables) {
                target.empty(table.name());
                CopyPlan plan = CopyPlan.of(table);
                for (ShardTable member : table.members()) {
                    SqlSession session = snapshots.get(member.shard());
                    KeptOpen others = new KeptOpen(to.clock(), session);
                    MemberPlan size = MemberPlan.of(session, member);
                    listener.planned(table.name(), size.rows(), size.bytes());
                    copy(session, plan.select(member.physical()), target.snapshot(plan, listener), others);
                }
                listener.finished(table.name());
            }
        }
    }

    private static void copy(SqlSession shard, String select, RowSink sink, KeptOpen others) {
        try (RowQueue rows = shard.stream(select, PartCopy.QUEUE_BYTES)) {
            for (ByteBuf row = shard.next(rows); row != null; row = shard.next(rows)) {
                sink.add(row);
                others.keep();
            }
        } catch (MysqlServerError e) {
            throw shard.failed("reading rows by " + select, e);
        }
        sink.finish();
    }

    /** The snapshots that wait while another one is read: the shards end sessions that send nothing. */
    private final class KeptOpen {
        private final Clock clock;
        private final SqlSession read;
        private long kept;

        KeptOpen(Clock clock, SqlSession read) {
            this.clock = clock;
            this.read = read;
            send();
        }

        void keep() {
            if (clock.nanoTime() - kept > KEEP_OPEN_NANOS) {
                send();
            }
        }

        private void send() {
            kept = clock.nanoTime();
            for (SqlSession session : snapshots.values()) {
                if (session != read) {
                    session.run("DO 0");
                }
            }
        }
    }

    @Override
    public void close() {
        closeLocks();
        snapshots.values().forEach(SqlSession::close);
        snapshots.clear();
    }
}
