package io.tributary.node.role;

/** What a node is. */
public enum RoleName {
    /** All six stages in one process. */
    STANDALONE,
    /** Extract to collect; keeps nothing; serves a Dumper over gRPC. */
    TASK,
    /** Extract and merge for some of the shards; keeps nothing; serves a Task, or another relay, over gRPC. */
    RELAY,
    /** Writes, serves and backs up the files; pulls from a Task. */
    DUMPER
}
