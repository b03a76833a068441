package io.tributary.binlog.file;

/**
 * One entry of a sparse index: a transaction, or a change of the journal.
 *
 * @param offset where the transaction's GTID event or the change's event begins
 * @param gno the number of the transaction or of the change
 * @param commitMicros when the transaction was committed, µs since 1970
 * @param tso -1 for a change of the journal. For a transaction in `tso` order: everything up to this TSO precedes it, according to the cut
 *     before it; else 0
 */
public record SparseEntry(long offset, long gno, long commitMicros, long tso) {
    /** Bytes in the file: four u64. */
    public static final int LENGTH = 4 * Long.BYTES;

    private static final int MARK_SHIFT = 20;
    private static final long JOURNAL = -1;

    /** The entry of a change of the journal. Each change has one. */
    public static SparseEntry journal(long offset, long number) {
        return new SparseEntry(offset, number, 0, JOURNAL);
    }

    /** Whether it is a change of the journal. */
    public boolean isJournal() {
        return tso == JOURNAL;
    }

    /** Offset from which on the next transaction gets an entry: one entry for each MiB. */
    public static long markAfter(long offset) {
        return ((offset >>> MARK_SHIFT) + 1) << MARK_SHIFT;
    }
}
