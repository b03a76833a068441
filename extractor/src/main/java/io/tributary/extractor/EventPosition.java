package io.tributary.extractor;

/** Where in a shard's binlog its extractor stands; follows files past 4 GiB, where {@code log_pos} wraps. */
final class LogPosition {
    private static final long LOW_BITS = 0xffff_ffffL;

    private String file = "";
    private long start;
    private long end;

    /** The next event stands in this file at or behind this offset. */
    void enter(String fileName, long offset) {
        file = fileName;
        start = offset;
        end = offset;
    }

    /**
     * An event came.
     *
     * @param logPos its header's: the lowest 32 bits of the offset behind it; 0 for one that is not in the file
     * @param length bytes, with checksum
     */
    void advance(long logPos, int length) {
        if (logPos == 0) {
            start = end;
            return;
        }
        long behind = end & ~LOW_BITS | logPos;
        if (behind < end) {
            behind += LOW_BITS + 1;
        }
        end = behind;
        start = Math.max(0, behind - length);
    }

    String file() {
        return file;
    }

    /** Where the event at hand begins. */
    long start() {
        return start;
    }

    /** Behind the event at hand. */
    long end() {
        return end;
    }

    /** As messages name it. */
    @Override
    public String toString() {
        return (file.isEmpty() ? "no file yet" : file) + ":" + start;
    }
}
