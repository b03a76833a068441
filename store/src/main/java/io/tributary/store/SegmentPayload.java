package io.tributary.store;

import java.nio.ByteBuffer;

/** A payload in one piece of one segment: by far the most. */
final class SegmentPayload extends HeldPayload {
    private final Segment segment;
    private final int at;
    private final int length;

    SegmentPayload(Segment segment, int at, int length, int events) {
        super(events);
        this.segment = segment;
        this.at = at;
        this.length = length;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer contiguousView() {
        checkHeld();
        return segment.view(at, length);
    }

    @Override
    public Cursor open() {
        return new OneRange(contiguousView());
    }

    @Override
    void giveBack() {
        segment.giveBack();
    }

    private static final class OneRange implements Cursor {
        private ByteBuffer range;

        OneRange(ByteBuffer range) {
            this.range = range;
        }

        @Override
        public ByteBuffer next() {
            ByteBuffer next = range;
            range = null;
            return next;
        }

        @Override
        public void close() {}
    }
}
