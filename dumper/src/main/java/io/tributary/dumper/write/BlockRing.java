package io.tributary.dumper.write;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.util.Util;
import java.nio.ByteBuffer;

/** The ring of blocks between layout, patchers and writer; its sequences say who is how far. Nobody ever waits in it. */
final class BlockRing {
    private static final int SLOTS = 256;

    private final RingBuffer<Block> ring;
    private final Sequence[] patched;
    private final Sequence written = new Sequence();
    private final BlockBuffers buffers;
    private long reclaimed = -1;

    BlockRing(int patchers, long memory) {
        this.ring = RingBuffer.createSingleProducer(Block::new, SLOTS, new YieldingWaitStrategy());
        this.patched = new Sequence[patchers];
        for (int i = 0; i < patchers; i++) {
            patched[i] = new Sequence();
        }
        this.buffers = new BlockBuffers(memory);
        ring.addGatingSequences(written);
    }

    int patchers() {
        return patched.length;
    }

    /** Layout: whether that many blocks may be claimed. */
    boolean hasRoom(int blocks) {
        return ring.hasAvailableCapacity(blocks);
    }

    /** Layout: a buffer for a block; null when there is no memory now. */
    ByteBuffer buffer(int length) {
        reclaim();
        return buffers.take(length);
    }

    /** Layout: the next block, empty, to be set up and published. */
    Block claim() {
        reclaim();
        Block block = ring.get(ring.next());
        block.clear();
        return block;
    }

    /** Layout: hands the claimed block on. */
    void publish() {
        ring.publish(ring.getCursor() + 1);
    }

    private void reclaim() {
        for (long end = written.get(); reclaimed < end; ) {
            Block block = ring.get(++reclaimed);
            if (block.pooled) {
                buffers.give(block.out);
                block.pooled = false;
            }
        }
    }

    Block get(long sequence) {
        return ring.get(sequence);
    }

    /** The newest block that is laid out. */
    long laidOut() {
        return ring.getCursor();
    }

    /** The newest block that a patcher has passed. */
    long patched(int patcher) {
        return patched[patcher].get();
    }

    void setPatched(int patcher, long sequence) {
        patched[patcher].set(sequence);
    }

    /** The newest block that every patcher has passed. */
    long patched() {
        return Util.getMinimumSequence(patched);
    }

    long written() {
        return written.get();
    }

    /** Writer: the memory of all blocks up to this one may be used again. */
    void setWritten(long sequence) {
        written.set(sequence);
    }

    /** When all threads have ended: gives back what nobody has patched. */
    void releaseAll() {
        for (long i = written.get() + 1; i <= ring.getCursor(); i++) {
            ring.get(i).release();
        }
    }
}
