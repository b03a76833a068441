package io.tributary.common.cluster;

/** What a node can do for its cluster. */
public enum MemberRole {
    /** Reads and orders, for the Dumper that leads. */
    TASK,
    /** Reads some shards, for a Task. */
    RELAY,
    /** Keeps the files: leads, or copies the leader's. */
    DUMPER
}
