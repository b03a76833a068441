package io.tributary.testkit.workload;

import io.tributary.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Two-phase commit as a good coordinator does it: it prepares every branch before it commits any, and after a lost
 * connection or a restarted shard it brings its decision to the end.
 */
final class XaCoordinator {
    private static final Duration FINISH_LIMIT = Duration.ofMinutes(2);
    private static final int XAER_NOTA = 1397;

    private XaCoordinator() {}

    /** One branch: its name, its session, and what it does as SQL text, empty for nothing. */
    record Branch(XaName name, ShardSession session, String work) {}

    /** Runs the whole transaction; answers whether it was committed. It was rolled back when a branch could not be prepared. */
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

    /** Lost connections, deadlocks, lock timeouts, a server that shuts down. */
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
        try { // where the branch is still active in its session; where it is not, this says so
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

    /** Unknown to the server and not in its list of prepared ones: it has ended before. */
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
