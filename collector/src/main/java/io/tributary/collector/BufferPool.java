package io.tributary.collector;

import io.tributary.common.pipeline.Wakeup;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of direct buffers with sizes that are powers of two. Reserved buffers and idle buffers share one limit; a single buffer may exceed it. Any
 * thread.
 */
final class BufferPool {
    private static final int SMALLEST = 14;
    private static final int CLASSES = 31 - SMALLEST;

    private final ArrayDeque<ByteBuffer>[] idle = deques();
    private final long mostBytes;
    private final AtomicLong reserved = new AtomicLong();
    private final Wakeup released = new Wakeup();
    private long idleBytes;
    private int acquired;

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

    /** Whether a buffer of any size may be reserved. */
    boolean hasRoom() {
        boolean hasRoom = reserved.get() < mostBytes;
        if (!hasRoom) {
            released.listen();
        }
        return hasRoom;
    }

    /** Reserves memory for a later {@link #acquire} of this many bytes. */
    void reserve(int bytes) {
        reserved.addAndGet(capacity(sizeClass(bytes)));
    }

    /** A reserved buffer of at least this many bytes, at most 1 GiB; position 0, limit at its capacity. */
    ByteBuffer acquire(int bytes) {
        int size = sizeClass(bytes);
        synchronized (idle) {
            acquired++;
            ByteBuffer buffer = idle[size].pollLast();
            if (buffer != null) {
                idleBytes -= buffer.capacity();
                return buffer.clear();
            }
            freeIdle();
        }
        return ByteBuffer.allocateDirect(capacity(size));
    }

    /** Frees idle buffers of sizes that are no longer used, to make room for others. */
    private void freeIdle() {
        for (ArrayDeque<ByteBuffer> list : idle) {
            while (reserved.get() + idleBytes > mostBytes && !list.isEmpty()) {
                idleBytes -= list.pollLast().capacity();
            }
        }
    }

    /** Accepts a buffer that {@link #acquire} returned; the caller must not use it any more. */
    void release(ByteBuffer buffer) {
        synchronized (idle) {
            acquired--;
            if (reserved.addAndGet(-buffer.capacity()) + idleBytes + buffer.capacity() <= mostBytes) {
                idleBytes += buffer.capacity();
                idle[sizeClass(buffer.capacity())].addLast(buffer);
            }
        }
        released.ring();
    }

    /** The number of buffers that are not returned yet. */
    int acquired() {
        synchronized (idle) {
            return acquired;
        }
    }

    private static int sizeClass(int bytes) {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1) - SMALLEST);
    }

    private static int capacity(int sizeClass) {
        return 1 << SMALLEST + sizeClass;
    }
}
