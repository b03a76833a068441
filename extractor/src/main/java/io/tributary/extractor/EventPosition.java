package io.tributary.extractor;

/** The position of an extractor in a shard's binlog; also correct in files above 4 GiB, in which {@code log_pos} wraps. */
public final class EventPosition {
    private static final long LOW_BITS = 0xffff_ffffL;

    private String file = "";
    private long start;
    private long end;

    /** Sets the position: the next event is in this file at or after this offset. */
    public void enter(String fileName, long offset) {
        file = fileName;
        start = offset;
        end = offset;
    }

    /**
     * Moves to the next event.
     *
     * @param logPos from its header: the lowest 32 bits of the offset after the event; 0 for an event that is not in the file
     * @param length bytes, with checksum
     */
    public void advance(long logPos, int length) {
        if (logPos == 0) {
            start = end;
            return;
        }
        long after = end & ~LOW_BITS | logPos;
        if (after < end) {
            after += LOW_BITS + 1;
        }
        end = after;
        start = Math.max(0, after - length);
    }

    public String file() {
        return file;
    }

    /** Offset at which the current event begins. */
    long start() {
        return start;
    }

    /** Offset after the current event. */
    public long end() {
        return end;
    }

    /** The position as in messages. */
    @Override
    public String toString() {
        return (file.isEmpty() ? "no file yet" : file) + ":" + start;
    }
}
