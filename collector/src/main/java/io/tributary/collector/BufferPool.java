package io.tributary.collector;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Direct buffers that are used again, by powers of two; what lies idle is bounded. Any thread. */
final class BufferPool {
    private static final int SMALLEST = 14;
    private static final int CLASSES = 31 - SMALLEST;

    private final ArrayDeque<ByteBuffer>[] idle = deques();
    private final long mostIdleBytes;
    private long idleBytes;
    private int taken;

    BufferPool(long mostIdleBytes) {
        this.mostIdleBytes = mostIdleBytes;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static ArrayDeque<ByteBuffer>[] deques() {
        ArrayDeque<ByteBuffer>[] deques = new ArrayDeque[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            deques[i] = new ArrayDeque<>();
        }
        return deques;
    }

    /** A buffer of at least this many bytes, at most 1 GiB; position 0, limit at its capacity. */
    ByteBuffer take(int bytes) {
        int size = sizeClass(bytes);
        synchronized (idle) {
            taken++;
            ByteBuffer buffer = idle[size].pollLast();
            if (buffer != null) {
                idleBytes -= buffer.capacity();
                return buffer.clear();
            }
        }
        return ByteBuffer.allocateDirect(1 << SMALLEST + size);
    }

    /** Takes back what {@link #take} gave; nobody may use it any more. */
    void giveBack(ByteBuffer buffer) {
        synchronized (idle) {
            taken--;
            if (idleBytes + buffer.capacity() <= mostIdleBytes) {
                idleBytes += buffer.capacity();
                idle[sizeClass(buffer.capacity())].addLast(buffer);
            }
        }
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
}
