package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** A payload that a test wrote, with a copy of its bytes. */
record Written(Payload payload, byte[] copy, int events) {
    private static final int HEADER = 19;

    /** Appends events of these sizes, each from two buffers, and finishes the payload. */
    static Written write(PayloadAppender appender, RandomGenerator random, int... sizes) {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        for (int size : sizes) {
            copy.writeBytes(append(appender, random, size));
        }
        assertEquals(copy.size(), appender.length());
        assertEquals(sizes.length, appender.events());
        return new Written(appender.finish(), copy.toByteArray(), sizes.length);
    }

    /** Appends one event of this size and returns its bytes. */
    static byte[] append(PayloadAppender appender, RandomGenerator random, int size) {
        byte[] event = new byte[size];
        random.nextBytes(event);
        LittleEndian.putU32(event, 9, size);
        int headLength = HEADER + random.nextInt(size - HEADER + 1);
        int headAt = random.nextInt(5);
        int restAt = random.nextInt(5);
        ByteBuffer head = ByteBuffer.allocate(headAt + headLength).put(headAt, event, 0, headLength);
        ByteBuffer rest =
                ByteBuffer.allocateDirect(restAt + size - headLength).put(restAt, event, headLength, size - headLength);
        appender.beginEvent(head, headAt, headLength);
        appender.append(rest, restAt, size - headLength);
        return event;
    }

    /** Reads the payload back in every way, and checks that no header is split. */
    void check() {
        assertEquals(copy.length, payload.length());
        assertEquals(events, payload.events());
        ByteBuffer whole = payload.contiguousView();
        if (whole != null) {
            byte[] bytes = new byte[whole.remaining()];
            whole.get(whole.position(), bytes);
            assertArrayEquals(copy, bytes);
        }
        try (Payload.Cursor cursor = payload.open()) {
            checkRanges(cursor);
        }
    }

    private void checkRanges(Payload.Cursor cursor) {
        byte[] bytes = new byte[copy.length];
        int at = 0;
        long nextEvent = 0;
        int seen = 0;
        for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
            assertTrue(range.remaining() > 0);
            while (nextEvent < at + range.remaining()) {
                int inRange = range.position() + (int) (nextEvent - at);
                assertTrue(range.limit() - inRange >= HEADER, "a header is split");
                nextEvent += LittleEndian.getU32(range, inRange + 9);
                seen++;
            }
            range.get(range.position(), bytes, at, range.remaining());
            at += range.remaining();
        }
        assertEquals(copy.length, at);
        assertEquals(events, seen);
        assertArrayEquals(copy, bytes);
        assertNull(cursor.next());
    }
}
