package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one memory budget: segments in use and segments that wait to be used again. */
final class SegmentPool {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);

    private final int segmentSize;
    private final Deque<Segment> free = new ArrayDeque<>();
    private final AtomicInteger inUse = new AtomicInteger();
    private volatile int most;

    /** @param bytes memory for all segments in use, 0 or more */
    SegmentPool(int segmentSize, long bytes) {
        this.segmentSize = segmentSize;
        this.most = (int) Math.min(Integer.MAX_VALUE, bytes / segmentSize);
    }

    int segmentSize() {
        return segmentSize;
    }

    /** Whether {@link #take()} would give a segment now. */
    boolean hasRoom() {
        return inUse.get() < most;
    }

    /** An empty segment, or null when the budget is used up. */
    Segment take() {
        if (!reserve()) {
            return null;
        }
        try {
            return takeReserved();
        } catch (OutOfMemoryError e) { // the JVM's own limit on direct memory: the rest goes to disk
            int now = inUse.decrementAndGet();
            most = Math.min(most, now);
            LOG.warn(
                    "The JVM gives no more direct memory than {} segments of {} bytes; what follows goes to disk. Raise"
                            + " -XX:MaxDirectMemorySize or lower store.memory.",
                    now,
                    segmentSize);
            return null;
        }
    }

    /** An empty segment, whatever the budget says: for the one event that was begun while there was room. */
    Segment takeBeyond() {
        inUse.incrementAndGet();
        try {
            return takeReserved();
        } catch (OutOfMemoryError e) {
            inUse.decrementAndGet();
            throw new TributaryException(
                    ErrorCode.STORE_FULL,
                    "expected direct memory for a segment of " + segmentSize + " bytes, got none",
                    e);
        }
    }

    private boolean reserve() {
        while (true) {
            int now = inUse.get();
            if (now >= most) {
                return false;
            }
            if (inUse.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    private Segment takeReserved() {
        Segment segment;
        synchronized (free) {
            segment = free.poll();
        }
        if (segment == null) {
            segment = new Segment(this, segmentSize);
        }
        segment.takenOut();
        return segment;
    }

    void putBack(Segment segment) {
        int now = inUse.decrementAndGet();
        synchronized (free) {
            if (now + free.size() < most) {
                free.push(segment);
            }
        }
    }

    /** Bytes of all segments in use. */
    long bytesInUse() {
        return (long) inUse.get() * segmentSize;
    }
}
