package io.tributary.store;

import java.util.function.Predicate;

/** A queue of segments in the order in which they were added; each segment is in at most one queue. Any thread. */
final class SegmentQueue {
    private static final int MOST_CHECKS = 256;

    private Segment oldest;
    private Segment newest;
    private long added;
    private int size;

    /** Adds a segment at the newest end. */
    synchronized void add(Segment segment) {
        segment.queue = this;
        segment.number = ++added;
        segment.older = newest;
        segment.newer = null;
        if (newest == null) {
            oldest = segment;
        } else {
            newest.newer = segment;
        }
        newest = segment;
        size++;
    }

    /** Removes a segment if it is in this queue. */
    synchronized void remove(Segment segment) {
        if (segment.queue != this) {
            return;
        }
        if (segment.older == null) {
            oldest = segment.newer;
        } else {
            segment.older.newer = segment.newer;
        }
        if (segment.newer == null) {
            newest = segment.older;
        } else {
            segment.newer.older = segment.older;
        }
        segment.queue = null;
        segment.older = null;
        segment.newer = null;
        size--;
    }

    /**
     * Removes and returns the oldest segment that passes the test and after which at least this many were added; null if there is none near the end.
     */
    synchronized Segment pollOldest(long younger, Predicate<Segment> test) {
        Segment segment = oldest;
        for (int i = 0; segment != null && added - segment.number >= younger && i < MOST_CHECKS; i++) {
            if (test.test(segment)) {
                remove(segment);
                return segment;
            }
            segment = segment.newer;
        }
        return null;
    }

    /** Removes and returns the newest segment that passes the test; null if there is none near the end. */
    synchronized Segment pollNewest(Predicate<Segment> test) {
        Segment segment = newest;
        for (int i = 0; segment != null && i < MOST_CHECKS; i++) {
            if (test.test(segment)) {
                remove(segment);
                return segment;
            }
            segment = segment.older;
        }
        return null;
    }

    synchronized int size() {
        return size;
    }
}
