package io.tributary.store;

import java.nio.ByteBuffer;

/** A chunk's key: id of the part and number of the chunk, big-endian so that RocksDB keeps a part's chunks together. */
final class SpillKey {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(Long.BYTES + Integer.BYTES);

    /** The key's bytes, good until the next call. */
    ByteBuffer of(long part, int chunk) {
        bytes.clear();
        return bytes.putLong(part).putInt(chunk).flip();
    }
}
