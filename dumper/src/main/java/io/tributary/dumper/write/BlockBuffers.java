package io.tributary.dumper.write;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Direct buffers of sizes that are powers of two, used again and again within a budget. For the layout's thread. */
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

    /** A buffer with this limit; null when the budget is used up, though one buffer of any size is always to be had. */
    ByteBuffer take(int length) {
        int size = size(length);
        ByteBuffer buffer = free.get(index(size)).pollLast();
        if (buffer == null) {
            if (inUse > 0 && inUse + size > budget) {
                return null;
            }
            forgetFree(size);
            buffer = ByteBuffer.allocateDirect(size);
            allocated += size;
        }
        inUse += size;
        return buffer.clear().limit(length);
    }

    /** Sizes that are no longer asked for make room for those that are. */
    private void forgetFree(int size) {
        for (ArrayDeque<ByteBuffer> list : free) {
            while (allocated + size > budget && !list.isEmpty()) {
                allocated -= list.pollLast().capacity();
            }
        }
    }

    void give(ByteBuffer buffer) {
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
