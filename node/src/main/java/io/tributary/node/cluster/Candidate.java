package io.tributary.node.cluster;

import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.time.Duration;

/**
 * A Dumper that stands for election: it copies from nobody while it does.
 *
 * @param node its id
 * @param position where its files end
 * @param copy which copy of the binlog they are
 * @param quorum how it counts
 * @param bound for how long from now on a leader before may still rely on what this one confirmed to it
 */
record Candidate(String node, LogPosition position, String copy, Quorum quorum, Duration bound) {
    /** Whether it shows the same. */
    boolean isAs(Candidate other) {
        return position.equals(other.position) && copy.equals(other.copy);
    }

    boolean hasLog() {
        return !position.equals(LogPosition.NOTHING);
    }
}
