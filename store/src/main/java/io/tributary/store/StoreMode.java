package io.tributary.store;

/** Where payload may lie. */
public enum StoreMode {
    /** In memory; on disk what is large, and what comes while memory is short. */
    AUTO,
    /** In memory only: reading stops while memory is short. */
    MEMORY,
    /** On disk only; to compare, and to test. */
    DISK
}
