package io.tributary.faults.site;

import java.util.Locale;

/** The current role of a node. If a test cluster has one Dumper, it is the leader. */
public enum Role {
    RELAY,
    /** The Task that runs the pipeline. */
    TASK,
    /** The Dumper that writes the binlog and serves readers. */
    LEADER,
    /** A Dumper that copies the leader. */
    FOLLOWER;

    /** The name for fault names and sentences. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
