package io.tributary.store;

import java.nio.ByteBuffer;

/** A stretch of a payload that lies in one place. */
sealed interface Part {
    long length();

    /** Gives the place back. */
    void release();

    /** In memory. */
    record InMemory(Segment segment, int at, int bytes) implements Part {
        @Override
        public long length() {
            return bytes;
        }

        ByteBuffer view() {
            return segment.view(at, bytes);
        }

        @Override
        public void release() {
            segment.giveBack();
        }
    }

    /**
     * On the spill disk.
     *
     * @param id its keys are this number and the number of a chunk, 0 up
     * @param chunks how many chunks
     */
    record OnDisk(Spill spill, SpillGeneration generation, long id, int chunks, long length) implements Part {
        @Override
        public void release() {
            spill.release(this);
        }
    }
}
