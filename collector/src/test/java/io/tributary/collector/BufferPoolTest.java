package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.io.DirectMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buffers are used again, and what is promised or idle has a bound. */
class BufferPoolTest {
    private static final int MIB = 1 << 20;

    private final BufferPool pool = new BufferPool(8 * MIB);

    @Test
    void aBufferThatWasGivenBackIsTakenAgain() {
        ByteBuffer first = take(MIB);
        first.position(100);
        pool.giveBack(first);
        ByteBuffer again = take(MIB - 1);
        assertSame(first, again);
        assertEquals(0, again.position());
    }

    @Test
    void nothingMoreIsPromisedAtTheBound() {
        List<ByteBuffer> taken = new ArrayList<>();
        while (pool.hasRoom()) {
            taken.add(take(MIB - 100)); // counts as the MiB that it takes
        }
        assertEquals(8, taken.size());
        pool.giveBack(taken.get(3));
        assertTrue(pool.hasRoom());
    }

    @Test
    void aPromiseCountsBeforeItsBufferIsTaken() {
        pool.promise(8 * MIB);
        assertFalse(pool.hasRoom());
        pool.giveBack(pool.take(8 * MIB));
        assertTrue(pool.hasRoom());
    }

    @Test
    void oneBufferMayPassTheBound() {
        assertTrue(pool.hasRoom());
        assertEquals(32 * MIB, take(20 * MIB).capacity());
        assertFalse(pool.hasRoom());
    }

    @Test
    void idleBuffersOfOtherSizesMakeRoom() {
        long before = DirectMemory.used();
        for (int mib = 1; mib <= 8; mib *= 2) {
            for (int turn = 0; turn < 64; turn++) {
                List<ByteBuffer> all = new ArrayList<>();
                while (pool.hasRoom()) {
                    all.add(take(mib * MIB));
                }
                all.forEach(pool::giveBack);
            }
        }
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (DirectMemory.used() - before > 9 * MIB && System.nanoTime() < deadline) {
            System.gc(); // frees, on a thread of the JVM, what the pool has let go
        }
        long kept = DirectMemory.used() - before;
        assertTrue(kept <= 9 * MIB, () -> kept + " bytes");
        assertEquals(0, pool.taken());
    }

    private ByteBuffer take(int bytes) {
        pool.promise(bytes);
        return pool.take(bytes);
    }
}
