package io.tributary.apply;

/** How it is decided which transactions may be applied at the same time. */
public enum ApplyDependency {
    /** By the keys of their rows, from the target's definitions. */
    WRITESET,
    /** By last_committed and sequence_number of the stream. */
    STREAM,
    /** None may. */
    NONE
}
