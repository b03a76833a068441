package io.tributary.common.pipeline;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of direct buffers. Reserved buffers and idle buffers share one limit; a single buffer may exceed it. An acquired buffer counts as reserved
 * until it is released. Any thread.
 */
public final class BufferPool {
    private static final int SMALLEST = 14;
    private static final int CLASSES = 31 - SMALLEST;

    private final ArrayDeque<ByteBuffer>[] idle = deques();
    private final long mostBytes;
    private final int only; // size of all buffers; 0: powers of two
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicInteger acquired = new AtomicInteger();
    private final Wakeup released = new Wakeup();
    private long idleBytes;

    /** A pool of buffers with sizes that are powers of two, at least 16 KiB. */
    public BufferPool(long mostBytes) {
        this(mostBytes, 0);
    }

    private BufferPool(long mostBytes, int only) {
        this.mostBytes = mostBytes;
        this.only = only;
    }

    /** A pool of buffers that all have the same size; it keeps as many as there may be at a time. */
    public static BufferPool ofSize(int size, int most) {
        return new BufferPool((long) size * most, size);
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
    public boolean hasRoom() {
        boolean hasRoom = reserved.get() < mostBytes;
        if (!hasRoom) {
            released.listen();
        }
        return hasRoom;
    }

    /** Reserves memory for a later {@link #acquire} of this many bytes. */
    public void reserve(int bytes) {
        reserved.addAndGet(capacity(bytes));
    }

    /**
     * A reserved buffer of at least this many bytes, at most 1 GiB; position 0, limit at its capacity.
     *
     * @throws OutOfMemoryError if the JVM provides no more direct memory; then the memory is no longer reserved
     */
    public ByteBuffer acquire(int bytes) {
        int capacity = capacity(bytes);
        ByteBuffer buffer = idle(capacity);
        if (buffer == null) {
            buffer = allocate(capacity);
        }
        acquired.incrementAndGet();
        return buffer.clear();
    }

    /** Promises a buffer, without regard to the limit, and acquires it. */
    public ByteBuffer take(int bytes) {
        reserve(bytes);
        return acquire(bytes);
    }

    /** As {@link #take}; null if the limit would be exceeded, unless no other buffer is reserved. For one thread. */
    public ByteBuffer tryTake(int bytes) {
        long others = reserved.get();
        return others > 0 && others + capacity(bytes) > mostBytes ? null : take(bytes);
    }

    private ByteBuffer idle(int capacity) {
        synchronized (idle) {
            ByteBuffer buffer = idle[sizeClass(capacity)].pollLast();
            if (buffer == null) {
                freeIdle();
            } else {
                idleBytes -= capacity;
            }
            return buffer;
        }
    }

    /** Frees idle buffers of sizes that are no longer used, to make room for others. */
    private void freeIdle() {
        for (ArrayDeque<ByteBuffer> list : idle) {
            while (reserved.get() + idleBytes > mostBytes && !list.isEmpty()) {
                idleBytes -= list.pollLast().capacity();
            }
        }
    }

    private ByteBuffer allocate(int capacity) {
        try {
            return ByteBuffer.allocateDirect(capacity);
        } catch (OutOfMemoryError e) {
            reserved.addAndGet(-capacity);
            throw e;
        }
    }

    /** Accepts a buffer that was acquired from this pool; the caller must not use it any more. */
    public void release(ByteBuffer buffer) {
        acquired.decrementAndGet();
        synchronized (idle) {
            if (reserved.addAndGet(-buffer.capacity()) + idleBytes + buffer.capacity() <= mostBytes) {
                idleBytes += buffer.capacity();
                idle[sizeClass(buffer.capacity())].addLast(buffer);
            }
        }
        released.ring();
    }

    /** The number of buffers that are not released yet. */
    public int acquired() {
        return acquired.get();
    }

    private int capacity(int bytes) {
        return only > 0 ? only : 1 << SMALLEST + sizeClass(bytes);
    }

    private static int sizeClass(int bytes) {
        int sizeClass = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1) - SMALLEST);
        if (sizeClass >= CLASSES) {
            throw new IllegalArgumentException("expected a buffer of 1 byte to 1 GiB, found " + bytes + " bytes");
        }
        return sizeClass;
    }
}
