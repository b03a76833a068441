package io.tributary.extractor;

import io.tributary.mysql.event.EventHeader;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;

/** A normalised event, or the head of one, that waits for what follows it: its bytes are copied, as the buffer they came in does not stay. */
final class HeldEvent {
    private static final int USUAL_SIZE = 256;
    private static final int MOST_KEPT = 1 << 20;

    private ByteBuffer bytes = ByteBuffer.allocate(USUAL_SIZE);
    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    /** The event from 0 on; not empty. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Takes {@code headLength} bytes of the head and the rest of the event from {@code from} to {@code end}. */
    void hold(ByteBuffer head, int headLength, ByteBuffer view, int from, int end) {
        length = headLength + end - from;
        if (length > bytes.capacity()) {
            bytes = ByteBuffer.allocate(length + length / 2);
        }
        bytes.put(0, head, 0, headLength);
        bytes.put(headLength, view, from, end - from);
    }

    void appendTo(PayloadAppender appender) {
        appender.append(bytes, 0, EventHeader.LENGTH, bytes, EventHeader.LENGTH, length - EventHeader.LENGTH);
        clear();
    }

    /** The rest has been appended already. */
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
