package io.tributary.common.cluster;

import io.tributary.common.value.Cut;

/**
 * Where a Dumper's files end, behind their last cut: what it shows in an election. The longer log is the one whose last cut has the higher epoch, and
 * in one epoch the one that reaches further: within an epoch there is one writer, who only appends.
 *
 * @param epoch {@link Cut#epoch} of the last cut
 * @param file number of the last file; 0 for no file
 * @param offset bytes of it up to behind that cut
 * @param cut number of that cut
 */
public record LogPosition(long epoch, int file, long offset, long cut) implements Comparable<LogPosition> {
    /** Of a Dumper that has nothing. */
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
