package io.tributary.store;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A pool of the keys of segments in the form that RocksDB requires: direct buffers, big-endian, so that segments of the same time are stored
 * together. Any thread.
 */
final class SpillKeys {
    private final ConcurrentLinkedDeque<ByteBuffer> free = new ConcurrentLinkedDeque<>();

    ByteBuffer take(long id) {
        ByteBuffer key = free.pollFirst();
        if (key == null) {
            key = ByteBuffer.allocateDirect(Long.BYTES);
        }
        key.clear();
        return key.putLong(id).flip();
    }

    void giveBack(ByteBuffer key) {
        free.addFirst(key);
    }
}
