package io.tributary.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.ColumnFamilyHandle;

/**
 * A period of time on the spill disk: one column family, dropped as a whole when none of its segments is held any more. So nothing is ever compacted,
 * and the disk's space is freed at once.
 */
final class SpillGeneration {
    private final ColumnFamilyHandle family;
    private final AtomicInteger holds = new AtomicInteger(1);
    private final AtomicLong written = new AtomicLong();

    SpillGeneration(ColumnFamilyHandle family) {
        this.family = family;
    }

    ColumnFamilyHandle family() {
        return family;
    }

    /** Adds a hold for one more segment; false if the generation has been dropped. */
    boolean hold() {
        while (true) {
            int now = holds.get();
            if (now == 0) {
                return false;
            }
            if (holds.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** @return the remaining holds; at 0 the caller must drop it */
    int releaseHold() {
        return holds.decrementAndGet();
    }

    void count(long bytes) {
        written.addAndGet(bytes);
    }

    /** Bytes written to it. */
    long written() {
        return written.get();
    }
}
