package io.tributary.seed;

/** Is told the progress of a seed. Called by several threads, often: it must be fast. */
public interface SeedListener {
    /** A step is done or begins; one line. */
    void step(String text);

    /**
     * Rows were copied.
     *
     * @param rows rows of this round so far
     * @param bytes bytes of their values
     * @param expectedRows the shards' estimate of all rows of this round
     */
    void copied(long rows, long bytes, long expectedRows);

    /**
     * Transactions were replayed.
     *
     * @param transactions of this round so far
     * @param expected all transactions of this round
     */
    void replayed(long transactions, long expected);
}
