package io.tributary.extractor.stream;

import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;

/**
 * A normalized event, or the head of one, that waits for the next event. Its bytes are copied, because the buffer in which they arrived is
 * reused.
 */
final class BufferedEvent {
    private static final int USUAL_SIZE = 256;
    private static final int MOST_KEPT = 1 << 20;

    private ByteBuffer bytes = ByteBuffer.allocate(USUAL_SIZE);
    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    /** The event, from offset 0; only if it is not empty. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Copies {@code headLength} bytes of the head, and the rest of the event from {@code from} to {@code end}. */
    void hold(ByteBuffer head, int headLength, ByteBuffer view, int from, int end) {
        length = headLength + end - from;
        if (length > bytes.capacity()) {
            bytes = ByteBuffer.allocate(length + length / 2);
        }
        bytes.put(0, head, 0, headLength);
        bytes.put(headLength, view, from, end - from);
    }

    void appendTo(PayloadAppender appender) {
        appender.append(bytes, 0, length);
        clear();
    }

    /** Appends the head; the rest of the event has been appended already. */
    void appendAsHeadTo(PayloadAppender appender) {
        appender.appendHead(bytes, 0, length);
        clear();
    }

    void clear() {
        length = 0;
        if (bytes.capacity() > MOST_KEPT) {
            bytes = ByteBuffer.allocate(USUAL_SIZE);
        }
    }
}
