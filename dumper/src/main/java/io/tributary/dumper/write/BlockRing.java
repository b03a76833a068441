package io.tributary.dumper.write;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.util.Util;
import io.tributary.common.pipeline.Bell;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The ring of blocks between layout, patchers and writer; its sequences say who is how far. Nobody ever waits in it. */
final class BlockRing {
    private static final int SLOTS = 256;

    private final RingBuffer<Block> ring;
    private final Sequence[] patched;
    private final Sequence written = new Sequence();
    private final BlockBuffers buffers;
    private final Bell[] laidOut; // of each patcher
    private final Bell passed = new Bell();
    private final Bell freed = new Bell();
    private long reclaimed = -1;

    BlockRing(int patchers, long memory) {
        this.ring = RingBuffer.createSingleProducer(Block::new, SLOTS, new YieldingWaitStrategy());
        this.patched = new Sequence[patchers];
        Arrays.setAll(patched, patcher -> new Sequence());
        this.laidOut = new Bell[patchers];
        Arrays.setAll(laidOut, patcher -> new Bell());
        this.buffers = new BlockBuffers(memory);
        ring.addGatingSequences(written);
    }

    int patchers() {
        return patched.length;
    }

    /** Layout: whether that many blocks may be claimed. */
    boolean hasRoom(int blocks) {
        boolean hasRoom = ring.hasAvailableCapacity(blocks);
        if (!hasRoom) {
            freed.listen();
        }
        return hasRoom;
    }

    /** Layout: a buffer for a block; null when there is no memory now. */
    ByteBuffer buffer(int length) {
        reclaim();
        ByteBuffer buffer = buffers.take(length);
        if (buffer == null) {
            freed.listen();
        }
        return buffer;
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
        for (Bell patcher : laidOut) {
            patcher.ring();
        }
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

    /** The newest block that is laid out, for a patcher. */
    long laidOut(int patcher) {
        long newest = ring.getCursor();
        if (newest == patched[patcher].get()) {
            laidOut[patcher].listen();
        }
        return newest;
    }

    /** The newest block that a patcher has passed. */
    long patched(int patcher) {
        return patched[patcher].get();
    }

    void setPatched(int patcher, long sequence) {
        patched[patcher].set(sequence);
        passed.ring();
    }

    /** The newest block that every patcher has passed, for the writer. */
    long patched() {
        long newest = Util.getMinimumSequence(patched);
        if (newest == written.get()) {
            passed.listen();
        }
        return newest;
    }

    long written() {
        return written.get();
    }

    /** Writer: the memory of all blocks up to this one may be used again. */
    void setWritten(long sequence) {
        written.set(sequence);
        freed.ring();
    }

    /** When all threads have ended: gives back what nobody has patched. */
    void releaseAll() {
        for (long i = written.get() + 1; i <= ring.getCursor(); i++) {
            ring.get(i).release();
        }
    }
}
