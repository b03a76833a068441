package io.tributary.store;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Keys of segments as RocksDB wants them: direct buffers, used again. Big-endian, so that neighbours in time lie together. Any thread. */
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
