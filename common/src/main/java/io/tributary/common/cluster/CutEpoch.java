package io.tributary.common.cluster;

/**
 * The epoch in a cut and in a heartbeat round: the leader's in the upper 40 bits, below it which of the writers of rounds that worked
 * for that leader. So it grows with each leader and with each writer, and a Task that works for an old leader is told from its rounds.
 * Without a cluster the leader's is 0, and it counts the writers as it always did.
 */
public final class CutEpoch {
    /** No leader has a greater epoch. */
    public static final long MOST = (1L << 39) - 1;

    private static final int WRITER_BITS = 24;

    private CutEpoch() {}

    /** The first of a leader: no writer of rounds has begun under it. */
    public static long of(long leader) {
        return leader << WRITER_BITS;
    }

    /** The leader's epoch. */
    public static long leader(long epoch) {
        return epoch >>> WRITER_BITS;
    }

    /** For people: {@code 17}, in a cluster {@code 3.17}. */
    public static String text(long epoch) {
        long writer = epoch & (1L << WRITER_BITS) - 1;
        return leader(epoch) == 0 ? Long.toString(writer) : leader(epoch) + "." + writer;
    }
}
