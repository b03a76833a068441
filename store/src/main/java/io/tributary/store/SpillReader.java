package io.tributary.store;

import java.nio.ByteBuffer;

/** Reads chunks of the spill into a buffer of its own. */
final class SpillReader implements AutoCloseable {
    private final Spill spill;
    private final ByteBuffer buffer;
    private final SpillKey key = new SpillKey();

    SpillReader(Spill spill) {
        this.spill = spill;
        this.buffer = spill.buffers().take();
    }

    /** The chunk's bytes; a view, good until the next call. */
    ByteBuffer read(Part.OnDisk part, int chunk) {
        buffer.clear();
        spill.get(part, key.of(part.id(), chunk), buffer);
        return buffer.slice().asReadOnlyBuffer();
    }

    @Override
    public void close() {
        spill.buffers().putBack(buffer);
    }
}
