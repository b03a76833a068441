package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.extractor.ShardFacts;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.RowQueue;
import io.tributary.seed.session.Peer;
import io.tributary.seed.session.SqlNames;
import io.tributary.seed.session.SqlSession;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Copies a table without a row key, whose rows must be those of one moment: an event that is applied twice would double a row. First {@link #lock}
 * stops writes to all its members and opens snapshots. Then the caller waits for the first checkpoint that contains {@link #executed()}, which is the
 * place where the events of this table begin, and only then calls {@link #unlock()}: a later event of the table before that checkpoint would be lost.
 * {@link #copy} reads the snapshots. For one thread.
 */
public final class KeylessCopy implements AutoCloseable {
    private static final int MOST_TRIES = 10;

    private final LogicalTable table;
    private final Map<Peer, List<Member>> members = new LinkedHashMap<>();
    private final Map<Peer, SqlSession> locks = new LinkedHashMap<>();
    private final Map<Peer, SqlSession> snapshots = new LinkedHashMap<>();
    private final Map<String, GtidSet> executed = new TreeMap<>();

    private KeylessCopy(LogicalTable table) {
        this.table = table;
        for (Member member : table.members()) {
            members.computeIfAbsent(member.shard(), same -> new ArrayList<>()).add(member);
        }
    }

    /**
     * Locks all members against writes. An attempt waits 5 s at most for each shard, and writes wait as long; there are 10 attempts.
     *
     * @throws TributaryException SEED_FAILED if a transaction does not end; SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED, SQL_FAILED without the right
     *     LOCK TABLES
     */
    public static KeylessCopy lock(MysqlClient client, LogicalTable table) {
        KeylessCopy copy = new KeylessCopy(table);
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
            lock.run("SET SESSION lock_wait_timeout = 5");
            snapshots.put(shard, CopySessions.shard(client, shard, "REPEATABLE READ"));
        }
    }

    private boolean tryLock() {
        for (Map.Entry<Peer, SqlSession> lock : locks.entrySet()) {
            String tables = members.get(lock.getKey()).stream()
                    .map(member -> SqlNames.name(member.physical()) + " READ")
                    .collect(Collectors.joining(", "));
            if (lock.getValue().isRefused("LOCK TABLES " + tables, MysqlError.ER_LOCK_WAIT_TIMEOUT)) {
                return false;
            }
        }
        return true;
    }

    private TributaryException busy() {
        return new TributaryException(
                ErrorCode.SEED_FAILED,
                "table " + table.name() + ": expected READ locks on " + table.members() + " within 5 s each, found"
                        + " transactions that have written them and do not end, in " + MOST_TRIES
                        + " attempts; end these transactions, or add a primary key");
    }

    private void openSnapshots() {
        snapshots.forEach((shard, session) -> {
            SqlSession lock = locks.get(shard);
            ShardFacts facts = lock.connection().await(ShardFacts.ask(lock.connection()), shard.timeout());
            executed.put(shard.name(), facts.executed());
            session.run("START TRANSACTION WITH CONSISTENT SNAPSHOT");
        });
    }

    /** By shard name, transactions that include all of which the snapshots contain rows of this table. */
    public Map<String, GtidSet> executed() {
        return Map.copyOf(executed);
    }

    /** Lets the shards write the table again. */
    public void unlock() {
        locks.values().forEach(SqlSession::close);
        locks.clear();
    }

    private void unlockTables() {
        locks.values().forEach(session -> session.run("UNLOCK TABLES"));
    }

    /**
     * Empties the target's table and writes all rows of the snapshots; blocks until they are committed. After a failure begin with a new lock.
     *
     * @param to the copy of the other tables, whose target and limits count
     * @throws TributaryException as {@link Copy#copy}
     */
    public void copy(Copy to, CopyListener listener) {
        try (TargetSession target = to.openTarget()) {
            target.session().run("TRUNCATE TABLE " + SqlNames.name(table.name()));
            snapshots.forEach((shard, session) -> {
                for (Member member : members.get(shard)) {
                    MemberPlan size = MemberPlan.of(session, member);
                    listener.planned(table.name(), size.rows(), size.bytes());
                    copy(session, member, new RowWriter(CopyPlan.of(table), "INSERT", target, sent -> "", listener));
                }
            });
        }
        listener.finished(table.name());
    }

    private static void copy(SqlSession shard, Member member, RowWriter writer) {
        try (RowQueue rows = shard.stream(writer.plan().select(member.physical()), PartCopy.QUEUE_BYTES)) {
            for (ByteBuf row = shard.next(rows); row != null; row = shard.next(rows)) {
                writer.add(row);
            }
        } catch (MysqlServerError e) {
            throw shard.failed("reading rows of " + member.physical(), e);
        }
        writer.finish();
    }

    @Override
    public void close() {
        unlock();
        snapshots.values().forEach(SqlSession::close);
        snapshots.clear();
    }
}
