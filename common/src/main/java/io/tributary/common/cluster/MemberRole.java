package io.tributary.common.cluster;

/** The roles that a node can have in its cluster. */
public enum MemberRole {
    /** Reads shards and orders transactions, for the leading Dumper. */
    TASK,
    /** Reads some shards for a Task. */
    RELAY,
    /** Stores the binlog files: it is the leader or copies the leader's files. */
    DUMPER
}
