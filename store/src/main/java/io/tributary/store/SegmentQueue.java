package io.tributary.store;

import java.util.function.Predicate;

/** Segments in the order in which they came; each stands in one queue at most. Any thread. */
final class SegmentQueue {
    private static final int MOST_LOOKS = 256;

    private Segment oldest;
    private Segment newest;
    private long added;
    private int size;

    /** Puts it at the newest end. */
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

    /** Takes it out if it stands here. */
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

    /** Takes out the oldest that passes the test and that this many have come after at least; null when there is none near the end. */
    synchronized Segment pollOldest(long younger, Predicate<Segment> test) {
        Segment segment = oldest;
        for (int i = 0; segment != null && added - segment.number >= younger && i < MOST_LOOKS; i++) {
            if (test.test(segment)) {
                remove(segment);
                return segment;
            }
            segment = segment.newer;
        }
        return null;
    }

    /** Takes out the newest that passes the test; null when there is none near the end. */
    synchronized Segment pollNewest(Predicate<Segment> test) {
        Segment segment = newest;
        for (int i = 0; segment != null && i < MOST_LOOKS; i++) {
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
