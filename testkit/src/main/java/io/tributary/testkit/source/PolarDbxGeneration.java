package io.tributary.testkit.source;

/** Where a PolarDB-X data node writes commit timestamps, by the generation of its server. */
public enum PolarDbxGeneration {
    /** Sequence events (80), on local transactions too. */
    SEQUENCE_EVENTS,
    /** Status variables of XA END (201, the prepare's) and XA COMMIT (200, the commit's). */
    STATUS_VARIABLES,
    /** GCN events (105) in front of every GTID; flagged where the coordinator gave the timestamp. */
    GCN_EVENTS
}
