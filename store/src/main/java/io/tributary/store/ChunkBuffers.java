package io.tributary.store;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Direct buffers of a chunk's size for the spill's writers and readers, used again. */
final class ChunkBuffers {
    private static final int KEPT = 32;

    private final int size;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();

    ChunkBuffers(int size) {
        this.size = size;
    }

    synchronized ByteBuffer take() {
        ByteBuffer buffer = free.poll();
        return buffer == null ? ByteBuffer.allocateDirect(size) : buffer;
    }

    synchronized void putBack(ByteBuffer buffer) {
        if (free.size() < KEPT) {
            free.push(buffer.clear());
        }
    }
}
