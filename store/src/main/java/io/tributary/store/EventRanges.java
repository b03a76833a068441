package io.tributary.store;

import java.nio.ByteBuffer;

/** One event that is stored in two ranges of two buffers. The object is reused, so that nothing is allocated for each event. */
final class EventRanges {
    /** Bytes of an event that are never split: MySQL's event header. */
    static final int HEADER = 19;

    private ByteBuffer head;
    private int headAt;
    private int headLength;
    private ByteBuffer rest;
    private int restAt;
    private int size;

    void set(ByteBuffer newHead, int newHeadAt, int newHeadLength, ByteBuffer newRest, int newRestAt, int restLength) {
        head = newHead;
        headAt = newHeadAt;
        headLength = newHeadLength;
        rest = newRest;
        restAt = newRestAt;
        size = newHeadLength + restLength;
    }

    int size() {
        return size;
    }

    /** Copies {@code count} bytes of the event, starting at its byte {@code from}. */
    void copyTo(ByteBuffer target, int at, int from, int count) {
        int ofHead = Math.min(count, headLength - from);
        if (ofHead > 0) {
            target.put(at, head, headAt + from, ofHead);
        } else {
            ofHead = 0;
        }
        if (count > ofHead) {
            target.put(at + ofHead, rest, restAt + from + ofHead - headLength, count - ofHead);
        }
    }

    /** Drops the buffers, so that they can be freed. */
    void clear() {
        head = null;
        rest = null;
    }
}
