package io.tributary.dumper;

/**
 * One entry of a sparse index: a transaction, or a change of the journal.
 *
 * @param offset where a transaction's GTID event begins
 * @param gno the transaction's number
 * @param commitMicros when it was committed, µs since 1970
 * @param tso of a change -1: then {@code gno} is the change's number, and {@code offset} that of its event; in `tso` order all up to this TSO precedes it (as the cut before it says); else 0
 */
public record SparseEntry(long offset, long gno, long commitMicros, long tso) {
    /** Bytes in the file: four u64. */
    static final int LENGTH = 4 * Long.BYTES;

    private static final int MARK_SHIFT = 20;
    private static final long JOURNAL = -1;

    /** The entry of a change of the journal; each change has one. */
    public static SparseEntry journal(long offset, long number) {
        return new SparseEntry(offset, number, 0, JOURNAL);
    }

    /** Whether it is a change of the journal. */
    boolean isJournal() {
        return tso == JOURNAL;
    }

    /** The transaction that begins at or behind this offset is the next to get an entry: one a MiB. */
    public static long markAfter(long offset) {
        return ((offset >>> MARK_SHIFT) + 1) << MARK_SHIFT;
    }
}
