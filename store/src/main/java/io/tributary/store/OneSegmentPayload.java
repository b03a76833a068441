package io.tributary.store;

import java.nio.ByteBuffer;

/** A payload in one contiguous range of one segment; nearly all payloads are of this class. */
final class OneSegmentPayload extends HeldPayload {
    private final Segment segment;
    private final int at;
    private final int length;

    OneSegmentPayload(Segment segment, int at, int length, int events) {
        super(events);
        this.segment = segment;
        this.at = at;
        this.length = length;
    }

    Segment segment() {
        return segment;
    }

    /** Writes the values that describe it apart from its segment. */
    void writePlace(ByteBuffer target) {
        target.putInt(at).putInt(length).putInt(events());
    }

    @Override
    public long length() {
        return length;
    }

    /** Its segment stays in memory from now until the release. */
    @Override
    public ByteBuffer contiguousView() {
        if (!isViewed()) {
            checkHeld();
            segment.pin();
            if (!markViewed()) { // another thread was faster
                segment.unpin();
            }
        }
        return segment.view(at, length);
    }

    @Override
    public Cursor open() {
        return new OneRange(contiguousView());
    }

    @Override
    void giveBack(boolean isViewed) {
        if (isViewed) {
            segment.unpin();
        }
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
