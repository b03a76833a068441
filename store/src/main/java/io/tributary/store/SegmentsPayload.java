package io.tributary.store;

import java.nio.ByteBuffer;

/** A payload over any number of segments; an empty payload has none. A reader keeps one of them in memory at a time. */
final class SegmentsPayload extends HeldPayload {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

    private final Range[] ranges;
    private final long length;

    /** A part of the payload in one segment. */
    record Range(Segment segment, int at, int bytes) {}

    SegmentsPayload(Range[] ranges, long length, int events) {
        super(events);
        this.ranges = ranges;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer contiguousView() {
        checkHeld();
        return ranges.length == 0 ? NOTHING : null;
    }

    @Override
    public Cursor open() {
        checkHeld();
        return new Ranges();
    }

    @Override
    void giveBack(boolean isViewed) {
        for (Range range : ranges) {
            range.segment().giveBack();
        }
    }

    private final class Ranges implements Cursor {
        private int next;
        private Segment pinned;

        @Override
        public ByteBuffer next() {
            unpin();
            if (next == ranges.length) {
                return null;
            }
            checkHeld();
            Range range = ranges[next];
            range.segment().pin();
            pinned = range.segment();
            next++;
            return pinned.view(range.at(), range.bytes());
        }

        private void unpin() {
            if (pinned != null) {
                pinned.unpin();
                pinned = null;
            }
        }

        @Override
        public void close() {
            next = ranges.length;
            unpin();
        }
    }
}
