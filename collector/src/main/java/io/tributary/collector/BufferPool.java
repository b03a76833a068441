package io.tributary.collector;

import io.tributary.common.pipeline.Bell;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Direct buffers that are used again, by powers of two. What is promised and what lies idle share one bound, which a single buffer
 * may pass. Any thread.
 */
final class BufferPool {
    private static final int SMALLEST = 14;
    private static final int CLASSES = 31 - SMALLEST;

    private final ArrayDeque<ByteBuffer>[] idle = deques();
    private final long mostBytes;
    private final AtomicLong promised = new AtomicLong();
    private final Bell givenBack = new Bell();
    private long idleBytes;
    private int taken;

    BufferPool(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static ArrayDeque<ByteBuffer>[] deques() {
        ArrayDeque<ByteBuffer>[] deques = new ArrayDeque[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            deques[i] = new ArrayDeque<>();
        }
        return deques;
    }

    /** Whether a buffer of any size may be promised. */
    boolean hasRoom() {
        boolean hasRoom = promised.get() < mostBytes;
        if (!hasRoom) {
            givenBack.listen();
        }
        return hasRoom;
    }

    /** A {@link #take} of so many bytes will follow. */
    void promise(int bytes) {
        promised.addAndGet(capacity(sizeClass(bytes)));
    }

    /** A promised buffer of at least this many bytes, at most 1 GiB; position 0, limit at its capacity. */
    ByteBuffer take(int bytes) {
        int size = sizeClass(bytes);
        synchronized (idle) {
            taken++;
            ByteBuffer buffer = idle[size].pollLast();
            if (buffer != null) {
                idleBytes -= buffer.capacity();
                return buffer.clear();
            }
            forgetIdle();
        }
        return ByteBuffer.allocateDirect(capacity(size));
    }

    /** Sizes that are no longer asked for make room for those that are. */
    private void forgetIdle() {
        for (ArrayDeque<ByteBuffer> list : idle) {
            while (promised.get() + idleBytes > mostBytes && !list.isEmpty()) {
                idleBytes -= list.pollLast().capacity();
            }
        }
    }

    /** Takes back what {@link #take} gave; nobody may use it any more. */
    void giveBack(ByteBuffer buffer) {
        synchronized (idle) {
            taken--;
            if (promised.addAndGet(-buffer.capacity()) + idleBytes + buffer.capacity() <= mostBytes) {
                idleBytes += buffer.capacity();
                idle[sizeClass(buffer.capacity())].addLast(buffer);
            }
        }
        givenBack.ring();
    }

    /** Buffers that are not given back. */
    int taken() {
        synchronized (idle) {
            return taken;
        }
    }

    private static int sizeClass(int bytes) {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1) - SMALLEST);
    }

    private static int capacity(int sizeClass) {
        return 1 << SMALLEST + sizeClass;
    }
}
