package io.tributary.testkit.workload;

import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.XaCoordinator.Branch;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeSet;

/**
 * A coordinator that sets commit timestamps as docs/ordering.md requires: it requests a TSO when all locks are held, writes it to the marker
 * table in every branch before the prepare, and commits nothing while a smaller TSO is neither prepared everywhere nor given up. Every
 * second local transaction has a TSO too. For any thread.
 */
public final class TsoCommits implements Commits {
    private static final String MARKER =
            "CREATE TABLE IF NOT EXISTS tributary.commit_tso (tso BIGINT UNSIGNED NOT NULL" + " PRIMARY KEY)";
    private static final int COUNTER_BITS = 22;

    /** The open TSOs: neither prepared everywhere nor given up. */
    private final TreeSet<Long> pending = new TreeSet<>();

    private long lastTso = Clock.SYSTEM.epochMicros() / 1000 << COUNTER_BITS;

    private TsoCommits() {}

    /** Creates the marker table on all shards. */
    public static TsoCommits on(List<MysqlServer> shards) throws SQLException {
        for (MysqlServer shard : shards) {
            try (Sql sql = shard.sql()) {
                sql.execute("CREATE DATABASE IF NOT EXISTS tributary", MARKER);
            }
        }
        return new TsoCommits();
    }

    @Override
    public boolean overShards(List<Branch> branches) throws SQLException {
        long tso = 0;
        try {
            for (Branch branch : branches) {
                branch.session().run("XA START " + branch.name().sql() + ";" + branch.work());
            }
            tso = take();
            for (Branch branch : branches) {
                String xid = branch.name().sql();
                branch.session().run(marker(tso) + ";XA END " + xid + ";XA PREPARE " + xid);
            }
        } catch (SQLException e) {
            if (!XaCoordinator.isWorthARetry(e)) {
                throw e;
            }
            branches.forEach(XaCoordinator::rollBack);
            return false;
        } finally {
            done(tso);
        }
        awaitTurn(tso);
        branches.forEach(XaCoordinator::commit);
        return true;
    }

    @Override
    public void onOneShard(ShardSession session) throws SQLException {
        long tso = take();
        try {
            if (tso % 2 == 0) {
                session.run(marker(tso));
                awaitTurn(tso);
            }
            session.run("COMMIT");
        } finally {
            done(tso);
        }
    }

    private static String marker(long tso) {
        return "INSERT INTO tributary.commit_tso VALUES (" + tso + ")";
    }

    private synchronized long take() {
        pending.add(++lastTso);
        return lastTso;
    }

    private synchronized void done(long tso) {
        pending.remove(tso);
        notifyAll();
    }

    private synchronized void awaitTurn(long tso) {
        try {
            while (!pending.headSet(tso).isEmpty()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for its turn", e);
        }
    }
}
