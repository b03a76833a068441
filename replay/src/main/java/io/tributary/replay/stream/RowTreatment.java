package io.tributary.replay.stream;

/** How rows of a table are replayed. */
public enum RowTreatment {
    /** The table is being copied in this round: an update is replayed as DELETE and WRITE, and a row overwrites every row that is in its way. */
    OVERWRITE,
    /** The target's rows are exact: the events are applied as they are. */
    PLAIN,
    /** Nothing of the table is applied, neither rows nor statements. */
    PASS_OVER
}
