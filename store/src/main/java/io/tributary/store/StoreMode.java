package io.tributary.store;

/** Where payload may lie. */
public enum StoreMode {
    /** In memory; on disk what is large, and what comes while memory is short. */
    AUTO,
    /** In memory only: reading stops while memory is short. */
    MEMORY,
    /**
     * Every segment is written to disk as soon as it is full, and its memory given back; to compare, and to test. What is read
     * before that comes from memory: a reader never waits for the disk to be written.
     */
    DISK
}
