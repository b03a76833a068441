package io.tributary.testkit.workload;

import java.sql.SQLException;
import java.util.List;

/** How a workload's transactions are brought to their end, once their work is known. */
interface Commits {
    /** As any coordinator of XA does it. */
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

    /** Runs a whole XA transaction; answers whether it was committed. */
    boolean overShards(List<XaCoordinator.Branch> branches) throws SQLException;

    /** Commits the local transaction that is open in a session. */
    void onOneShard(ShardSession session) throws SQLException;
}
