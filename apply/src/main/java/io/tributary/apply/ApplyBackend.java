package io.tributary.apply;

/** How rows are sent to the target. */
public enum ApplyBackend {
    /** As binlog events in BINLOG statements; on MySQL with their GTIDs. */
    EVENTS,
    /** As INSERT, UPDATE and DELETE. */
    SQL
}
