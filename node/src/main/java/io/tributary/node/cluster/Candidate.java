package io.tributary.node.cluster;

import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.time.Duration;

/**
 * A Dumper that is a candidate in an election. A candidate copies from no leader.
 *
 * @param node its id
 * @param position where its files end
 * @param copy identity of this copy of the binlog
 * @param quorum as this Dumper is configured
 * @param bound for how long from now an earlier leader may still rely on what this Dumper confirmed to it
 */
record Candidate(String node, LogPosition position, String copy, Quorum quorum, Duration bound) {
    /** Whether the other has the same position and the same copy. */
    boolean isAs(Candidate other) {
        return position.equals(other.position) && copy.equals(other.copy);
    }

    boolean hasLog() {
        return !position.equals(LogPosition.NOTHING);
    }
}
