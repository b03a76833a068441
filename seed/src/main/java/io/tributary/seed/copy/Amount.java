package io.tributary.seed.copy;

/** A number of rows, and the bytes of their values. */
record Amount(long rows, long bytes) {
    static final Amount NONE = new Amount(0, 0);
}
