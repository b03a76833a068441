package io.tributary.store;

import java.nio.ByteBuffer;

/** One event in one or two ranges of two buffers. The object is reused, so that nothing is allocated for each event. */
final class EventRanges {
    /** Bytes of an event that are never split: MySQL's event header. */
    static final int HEADER = 19;

    private ByteBuffer head;
    private int headAt;
    private int headLength;
    private ByteBuffer rest;
    private int restAt;
    private int size;

    /** Begins an event with its first range. */
    void set(ByteBuffer view, int at, int length) {
        head = view;
        headAt = at;
        headLength = length;
        size = length;
    }

    /** Adds the second range. */
    void add(ByteBuffer view, int at, int length) {
        rest = view;
        restAt = at;
        size += length;
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
