package io.tributary.common.cluster;

import io.tributary.common.value.Cut;

/**
 * The end of a Dumper's files after their last cut, which the Dumper shows in an election. The longer log is the one whose last cut has the
 * higher epoch, and within one epoch the one with the later end: within an epoch only one writer appends.
 *
 * @param epoch {@link Cut#epoch} of the last cut
 * @param file number of the last file; 0 = no file
 * @param offset bytes of that file up to the end of the cut
 * @param cut number of that cut
 */
public record LogPosition(long epoch, int file, long offset, long cut) implements Comparable<LogPosition> {
    /** The position of a Dumper without files. */
    public static final LogPosition NOTHING = new LogPosition(0, 0, 0, 0);

    @Override
    public int compareTo(LogPosition other) {
        int byEpoch = Long.compareUnsigned(epoch, other.epoch);
        if (byEpoch != 0) {
            return byEpoch;
        }
        int byFile = Integer.compare(file, other.file);
        return byFile != 0 ? byFile : Long.compare(offset, other.offset);
    }

    @Override
    public String toString() {
        return "cut " + cut + " of epoch " + CutEpoch.text(epoch) + " at " + file + ":" + offset;
    }
}
