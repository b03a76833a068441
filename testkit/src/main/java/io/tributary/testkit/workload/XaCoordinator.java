package io.tributary.testkit.workload;

import io.tributary.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A coordinator of two-phase commit: it prepares every branch before it commits any, and completes its decision after a lost
 * connection or a restart of a shard.
 */
final class XaCoordinator {
    private static final Duration FINISH_LIMIT = Duration.ofMinutes(2);
    private static final int XAER_NOTA = 1397;

    private XaCoordinator() {}

    /** One branch: its name, its session, and its work as SQL text, which may be empty. */
    record Branch(XaName name, ShardSession session, String work) {}

    /** Runs the complete transaction; returns whether it was committed. It is rolled back if a branch cannot be prepared. */
    static boolean run(List<Branch> branches) throws SQLException {
        for (int i = 0; i < branches.size(); i++) {
            try {
                prepare(branches.get(i));
            } catch (SQLException e) {
                if (!isWorthARetry(e)) {
                    throw e;
                }
                for (Branch begun : branches.subList(0, i + 1)) {
                    rollBack(begun);
                }
                return false;
            }
        }
        for (Branch branch : branches) {
            commit(branch);
        }
        return true;
    }

    /** Whether the error is a lost connection, a deadlock, a lock timeout or a shutdown of the server. */
    static boolean isWorthARetry(SQLException e) {
        return ShardSession.isLost(e)
                || e.getErrorCode() == 1213
                || e.getErrorCode() == 1205
                || e.getErrorCode() == 1614;
    }

    static void prepare(Branch branch) throws SQLException {
        String xid = branch.name.sql();
        String work = branch.work.isEmpty() ? "" : branch.work + ";";
        branch.session.run("XA START " + xid + ";" + work + "XA END " + xid + ";XA PREPARE " + xid);
    }

    static void commit(Branch branch) {
        finish("XA COMMIT", branch);
    }

    static void rollBack(Branch branch) {
        try { // needed if the branch is still active in its session; else this fails
            branch.session.run("XA END " + branch.name.sql());
        } catch (SQLException e) {
            finish("XA ROLLBACK", branch);
            return;
        }
        finish("XA ROLLBACK", branch);
    }

    private static void finish(String verb, Branch branch) {
        String what =
                verb + " " + branch.name + " on " + branch.session.server().name();
        Await.until(what, FINISH_LIMIT, () -> isFinished(verb, branch));
    }

    /** Whether the branch has already ended: the server does not know it, and it is not in the list of prepared branches. */
    private static boolean isFinished(String verb, Branch branch) throws SQLException {
        try {
            branch.session.run(verb + " " + branch.name.sql());
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() != XAER_NOTA && !isWorthARetry(e)) {
                throw e;
            }
        }
        try {
            return branch.session.rows(XaName.recover(branch.session.server().release())).stream()
                    .noneMatch(branch.name::isIn);
        } catch (SQLException e) {
            if (!isWorthARetry(e)) {
                throw e;
            }
            return false;
        }
    }
}
