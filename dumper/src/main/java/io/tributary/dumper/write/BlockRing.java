package io.tributary.dumper.write;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.util.Util;
import io.tributary.common.pipeline.Wakeup;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The ring of blocks between layout, patchers and writer. Its sequences are the positions of the stages. No call blocks. */
final class BlockRing {
    private static final int SLOTS = 256;

    private final RingBuffer<Block> ring;
    private final Sequence[] patched;
    private final Sequence written = new Sequence();
    private final BlockBuffers buffers;
    private final Wakeup[] laidOut; // one for each patcher
    private final Wakeup patchedWakeup = new Wakeup();
    private final Wakeup freed = new Wakeup();
    private long reclaimed = -1;

    BlockRing(int patchers, long memory) {
        this.ring = RingBuffer.createSingleProducer(Block::new, SLOTS, new YieldingWaitStrategy());
        this.patched = new Sequence[patchers];
        Arrays.setAll(patched, patcher -> new Sequence());
        this.laidOut = new Wakeup[patchers];
        Arrays.setAll(laidOut, patcher -> new Wakeup());
        this.buffers = new BlockBuffers(memory);
        ring.addGatingSequences(written);
    }

    int patchers() {
        return patched.length;
    }

    /** For the layout: whether this many blocks may be claimed. */
    boolean hasRoom(int blocks) {
        boolean hasRoom = ring.hasAvailableCapacity(blocks);
        if (!hasRoom) {
            freed.listen();
        }
        return hasRoom;
    }

    /** For the layout: a buffer for a block; null when no memory is free now. */
    ByteBuffer buffer(int length) {
        reclaim();
        ByteBuffer buffer = buffers.acquire(length);
        if (buffer == null) {
            freed.listen();
        }
        return buffer;
    }

    /** For the layout: the next block, empty; the caller sets it up and publishes it. */
    Block claim() {
        reclaim();
        Block block = ring.get(ring.next());
        block.clear();
        return block;
    }

    /** For the layout: publishes the claimed block. */
    void publish() {
        ring.publish(ring.getCursor() + 1);
        for (Wakeup patcher : laidOut) {
            patcher.ring();
        }
    }

    private void reclaim() {
        for (long end = written.get(); reclaimed < end; ) {
            Block block = ring.get(++reclaimed);
            if (block.pooled) {
                buffers.release(block.out);
                block.pooled = false;
            }
        }
    }

    Block get(long sequence) {
        return ring.get(sequence);
    }

    /** For a patcher: the newest block that is laid out. */
    long laidOut(int patcher) {
        long newest = ring.getCursor();
        if (newest == patched[patcher].get()) {
            laidOut[patcher].listen();
        }
        return newest;
    }

    /** The newest block that a patcher has processed. */
    long patched(int patcher) {
        return patched[patcher].get();
    }

    void setPatched(int patcher, long sequence) {
        patched[patcher].set(sequence);
        patchedWakeup.ring();
    }

    /** For the writer: the newest block that all patchers have processed. */
    long patched() {
        long newest = Util.getMinimumSequence(patched);
        if (newest == written.get()) {
            patchedWakeup.listen();
        }
        return newest;
    }

    long written() {
        return written.get();
    }

    /** For the writer: releases the memory of all blocks up to this one. */
    void setWritten(long sequence) {
        written.set(sequence);
        freed.ring();
    }

    /** Releases the chunks that were not patched. Call it only after all threads have ended. */
    void releaseAll() {
        for (long i = written.get() + 1; i <= ring.getCursor(); i++) {
            ring.get(i).release();
        }
    }
}
