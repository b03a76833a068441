package io.tributary.common.cluster;

/**
 * The epoch in a cut and in a heartbeat round: the leader's epoch in the upper 40 bits, and in the lower 24 bits the number of the writer
 * of rounds under that leader. It grows with each leader and with each writer, so a shard's rounds reject a Task that works for an old
 * leader. Without a cluster the leader's epoch is 0, and the value is only the number of the writer.
 */
public final class CutEpoch {
    /** The highest epoch of a leader. */
    public static final long MOST = (1L << 39) - 1;

    private static final int WRITER_BITS = 24;

    private CutEpoch() {}

    /** The first value of a leader, before any writer of rounds has begun under it. */
    public static long of(long leader) {
        return leader << WRITER_BITS;
    }

    /** The leader's epoch. */
    public static long leader(long epoch) {
        return epoch >>> WRITER_BITS;
    }

    /** For display: {@code 17}, in a cluster {@code 3.17}. */
    public static String text(long epoch) {
        long writer = epoch & (1L << WRITER_BITS) - 1;
        return leader(epoch) == 0 ? Long.toString(writer) : leader(epoch) + "." + writer;
    }
}
