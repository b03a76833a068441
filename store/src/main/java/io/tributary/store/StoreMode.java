package io.tributary.store;

/** Where payload may be stored. */
public enum StoreMode {
    /** In memory; large payload, and payload that arrives while memory is short, goes to disk. */
    AUTO,
    /** In memory only: reading stops while memory is short. */
    MEMORY,
    /**
     * Every segment is written to disk as soon as it is full, and its memory freed; to compare, and to test. Payload that is read before that is read
     * from memory: a reader never waits until it is written.
     */
    DISK
}
