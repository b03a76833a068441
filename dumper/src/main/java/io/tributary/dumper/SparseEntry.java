package io.tributary.dumper;

/**
 * One entry of a sparse index.
 *
 * @param offset where a transaction's GTID event begins
 * @param gno the transaction's number
 * @param commitMicros when it was committed, µs since 1970
 * @param tso in `tso` order all up to this TSO stands in front of it (as the cut before it says); else 0
 */
public record SparseEntry(long offset, long gno, long commitMicros, long tso) {
    /** Bytes in the file: four u64. */
    static final int LENGTH = 4 * Long.BYTES;

    private static final int MARK_SHIFT = 20;

    /** The transaction that begins at or behind this offset is the next to get an entry: one a MiB. */
    public static long markAfter(long offset) {
        return ((offset >>> MARK_SHIFT) + 1) << MARK_SHIFT;
    }
}
