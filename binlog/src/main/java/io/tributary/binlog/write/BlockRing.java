package io.tributary.binlog.write;

import io.tributary.common.pipeline.BufferPool;
import io.tributary.common.pipeline.SlotRing;
import java.nio.ByteBuffer;

/** The layout's side of the ring of blocks between layout, patchers and writer: it claims blocks, and memory for their bytes. No call blocks. */
final class BlockRing {
    private final SlotRing<Block> ring;
    private final BufferPool buffers;
    private long claimed = -1;
    private long reclaimed = -1;

    /** @param memory bytes of all blocks together */
    BlockRing(SlotRing<Block> ring, long memory) {
        this.ring = ring;
        this.buffers = new BufferPool(memory);
    }

    int patchers() {
        return ring.workers();
    }

    /** Whether this many blocks may be claimed. */
    boolean hasRoom(int blocks) {
        return ring.hasRoom(blocks);
    }

    /** A buffer for a block; null when no memory is free now. */
    ByteBuffer buffer(int length) {
        reclaim();
        ByteBuffer buffer = buffers.tryTake(Math.max(1, length));
        if (buffer == null) {
            ring.listenForRoom();
            return null;
        }
        return buffer.limit(length);
    }

    /** The next block, empty; the caller sets it up and publishes it. */
    Block claim() {
        reclaim();
        claimed = ring.claim();
        Block block = ring.get(claimed);
        block.clear();
        return block;
    }

    /** Publishes the claimed block. */
    void publish() {
        ring.publish(claimed);
    }

    /** Takes back the memory of the blocks that are written. */
    private void reclaim() {
        for (long end = ring.consumed(); reclaimed < end; ) {
            Block block = ring.get(++reclaimed);
            if (block.pooled) {
                buffers.release(block.out);
                block.pooled = false;
            }
        }
    }

    /** Releases the chunks that were not patched. Call it only after all threads have ended. */
    void releaseAll() {
        for (long i = ring.consumed() + 1; i <= ring.published(); i++) {
            ring.get(i).release();
        }
    }
}
