package io.tributary.testkit.workload;

import java.sql.SQLException;
import java.util.List;

/** Runs and commits the transactions of a workload. */
interface Commits {
    /** The usual two-phase commit. */
    Commits PLAIN = new Commits() {
        @Override
        public boolean overShards(List<XaCoordinator.Branch> branches) throws SQLException {
            return XaCoordinator.run(branches);
        }

        @Override
        public void onOneShard(ShardSession session) throws SQLException {
            session.run("COMMIT");
        }
    };

    /** Runs a complete XA transaction; returns whether it was committed. */
    boolean overShards(List<XaCoordinator.Branch> branches) throws SQLException;

    /** Commits the local transaction that is open in a session. */
    void onOneShard(ShardSession session) throws SQLException;
}
