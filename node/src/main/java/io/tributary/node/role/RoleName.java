package io.tributary.node.role;

/** Role of a node that is not in a cluster with a coordinator. */
public enum RoleName {
    /** All six stages in one process. */
    STANDALONE,
    /** The stages from extract to collect; stores nothing; serves a Dumper over gRPC. */
    TASK,
    /** Extract and merge for some of the shards; stores nothing; serves a Task, or another relay, over gRPC. */
    RELAY,
    /** Writes, serves and backs up the files; receives from a Task. */
    DUMPER,
    /** Applies the binlog of a standalone node or a Dumper to a target; stores nothing and serves nothing. */
    APPLY,
    /** Sends the binlog of a standalone node or a Dumper to Kafka; stores nothing and serves nothing. */
    SINK
}
