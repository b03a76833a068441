package io.tributary.dumper.write;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A pool of direct buffers whose sizes are powers of two, within a budget of bytes. For the layout's thread. */
final class BlockBuffers {
    private static final int SMALLEST_SHIFT = 14;
    private static final int LARGEST_SHIFT = 30;

    private final long budget;
    private final List<ArrayDeque<ByteBuffer>> free = new ArrayList<>();
    private long allocated;
    private long inUse;

    BlockBuffers(long budget) {
        this.budget = budget;
        for (int shift = SMALLEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
            free.add(new ArrayDeque<>());
        }
    }

    /** Takes a buffer with this limit; null when the budget is used up. The first buffer may have any size, also above the budget. */
    ByteBuffer acquire(int length) {
        int size = size(length);
        ByteBuffer buffer = free.get(index(size)).pollLast();
        if (buffer == null) {
            if (inUse > 0 && inUse + size > budget) {
                return null;
            }
            dropFree(size);
            buffer = ByteBuffer.allocateDirect(size);
            allocated += size;
        }
        inUse += size;
        return buffer.clear().limit(length);
    }

    /** Drops free buffers of other sizes to make room for one of this size. */
    private void dropFree(int size) {
        for (ArrayDeque<ByteBuffer> list : free) {
            while (allocated + size > budget && !list.isEmpty()) {
                allocated -= list.pollLast().capacity();
            }
        }
    }

    void release(ByteBuffer buffer) {
        inUse -= buffer.capacity();
        free.get(index(buffer.capacity())).addLast(buffer);
    }

    private static int size(int length) {
        int shift = Math.max(SMALLEST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, length) - 1));
        if (shift > LARGEST_SHIFT) {
            throw new IllegalArgumentException("expected a block of at most 1 GiB, found " + length + " bytes");
        }
        return 1 << shift;
    }

    private static int index(int size) {
        return Integer.numberOfTrailingZeros(size) - SMALLEST_SHIFT;
    }
}
