package io.tributary.store;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** A pool of direct buffers of a segment's size; released buffers are kept up to a limit. Any thread. */
final class SegmentBuffers {
    private final int size;
    private final int most;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    private int inUse;

    SegmentBuffers(int size, int most) {
        this.size = size;
        this.most = most;
    }

    int size() {
        return size;
    }

    /** @throws OutOfMemoryError if the JVM provides no more direct memory */
    ByteBuffer take() {
        synchronized (this) {
            ByteBuffer buffer = free.poll();
            if (buffer != null) {
                inUse++;
                return buffer;
            }
        }
        ByteBuffer made = ByteBuffer.allocateDirect(size);
        synchronized (this) {
            inUse++;
        }
        return made;
    }

    synchronized void giveBack(ByteBuffer buffer) {
        inUse--;
        if (inUse + free.size() < most) {
            free.push(buffer.clear());
        }
    }

    synchronized int inUse() {
        return inUse;
    }
}
