package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.io.DirectMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buffers are reused, and reserved and idle buffers have a limit. */
class BufferPoolTest {
    private static final int MIB = 1 << 20;

    private final BufferPool pool = new BufferPool(8 * MIB);

    @Test
    void aReleasedBufferIsReused() {
        ByteBuffer first = acquire(MIB);
        first.position(100);
        pool.release(first);
        ByteBuffer again = acquire(MIB - 1);
        assertSame(first, again);
        assertEquals(0, again.position());
    }

    @Test
    void nothingMoreIsPromisedAtTheLimit() {
        List<ByteBuffer> acquired = new ArrayList<>();
        while (pool.hasRoom()) {
            acquired.add(acquire(MIB - 100)); // counts as the 1 MiB that it occupies
        }
        assertEquals(8, acquired.size());
        pool.release(acquired.get(3));
        assertTrue(pool.hasRoom());
    }

    @Test
    void aReservationCountsBeforeItsBufferIsAcquired() {
        pool.reserve(8 * MIB);
        assertFalse(pool.hasRoom());
        pool.release(pool.acquire(8 * MIB));
        assertTrue(pool.hasRoom());
    }

    @Test
    void oneBufferMayExceedTheLimit() {
        assertTrue(pool.hasRoom());
        assertEquals(32 * MIB, acquire(20 * MIB).capacity());
        assertFalse(pool.hasRoom());
    }

    @Test
    void idleBuffersOfOtherSizesAreFreed() {
        long before = DirectMemory.used();
        for (int mib = 1; mib <= 8; mib *= 2) {
            for (int turn = 0; turn < 64; turn++) {
                List<ByteBuffer> all = new ArrayList<>();
                while (pool.hasRoom()) {
                    all.add(acquire(mib * MIB));
                }
                all.forEach(pool::release);
            }
        }
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (DirectMemory.used() - before > 9 * MIB && System.nanoTime() < deadline) {
            System.gc(); // frees, on a thread of the JVM, the buffers that the pool has dropped
        }
        long kept = DirectMemory.used() - before;
        assertTrue(kept <= 9 * MIB, () -> kept + " bytes");
        assertEquals(0, pool.acquired());
    }

    @Test
    void tryTakeRefusesWhatExceedsTheLimit() {
        ByteBuffer most = pool.tryTake(5 * MIB); // occupies 8 MiB
        assertNull(pool.tryTake(1));
        pool.release(most);
        ByteBuffer above = pool.tryTake(9 * MIB);
        assertEquals(16 * MIB, above.capacity());
        assertNull(pool.tryTake(1));
        pool.release(above);
        assertEquals(0, pool.acquired());
    }

    @Test
    void buffersOfOneSizeAreKeptUpToTheirNumber() {
        BufferPool same = BufferPool.ofSize(1000, 2);
        ByteBuffer first = same.take(1000);
        ByteBuffer second = same.take(1000);
        ByteBuffer third = same.take(1000);
        assertEquals(1000, first.capacity());
        assertEquals(3, same.acquired());
        same.release(third); // two others are in use
        same.release(second);
        same.release(first);
        assertSame(first, same.take(1000));
        assertSame(second, same.take(1000));
        assertNotSame(third, same.take(1000));
    }

    private ByteBuffer acquire(int bytes) {
        return pool.take(bytes);
    }
}
