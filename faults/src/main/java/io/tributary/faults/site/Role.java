package io.tributary.faults.site;

import java.util.Locale;

/** What a node of a site does at the moment; the only Dumper of a site leads. */
public enum Role {
    RELAY,
    /** The Task that runs the pipeline. */
    TASK,
    /** The Dumper that writes and lets readers in. */
    LEADER,
    /** A Dumper that copies the leader. */
    FOLLOWER;

    /** For names and sentences. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
