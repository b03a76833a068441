package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.BufferPool;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All segments and the memory that they share: one part for segments that are written, the rest for segments that are read back from disk. It chooses
 * the segments that go to disk when the former runs short. Everything here happens once for a segment, never for an event.
 */
final class SegmentPool {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);
    /** A segment is cold when this many times the memory has been filled since it was retired. */
    private static final long COLD = 2;

    private final BufferPool buffers;
    private final int segmentSize;
    private final Spill spill; // null in mode memory
    private final int high;
    private final int mostReading;
    private final SegmentQueue eager = new SegmentQueue();
    private final SegmentQueue full = new SegmentQueue();
    private final SegmentQueue reloaded = new SegmentQueue();
    private final AtomicInteger writing = new AtomicInteger();
    private final AtomicInteger reading = new AtomicInteger();
    private volatile int most;
    private volatile boolean hasMover;
    private volatile Thread sleeper; // the mover's while it sleeps or is about to

    SegmentPool(MemoryPlan plan, Spill spill) {
        this.spill = spill;
        this.most = plan.writing();
        this.high = plan.high();
        this.mostReading = plan.reading();
        this.segmentSize = plan.segmentSize();
        this.buffers = BufferPool.ofSize(segmentSize, plan.writing() + plan.reading());
    }

    int segmentSize() {
        return segmentSize;
    }

    // ---- what is written

    /** Whether {@link #take} would return a segment now. */
    boolean hasMemory() {
        return writing.get() < most;
    }

    /** The number of segments in memory for writing. */
    int most() {
        return most;
    }

    /** The number of segments that are being written now. */
    int writing() {
        return writing.get();
    }

    /** An empty segment, or null when all memory is in use. */
    Segment take(AppenderUsage usage) {
        if (!reserve()) {
            return null;
        }
        try {
            return make(usage);
        } catch (OutOfMemoryError e) { // the JVM's own limit on direct memory: the rest goes to disk
            int now = writing.decrementAndGet();
            most = Math.max(1, Math.min(most, now));
            LOG.warn(
                    "direct memory limit of the JVM reached: segments={} segment.bytes={} effect=\"further payload"
                            + " goes to disk\" action=\"raise -XX:MaxDirectMemorySize or lower store.memory\"",
                    now,
                    segmentSize());
            return null;
        }
    }

    /** An empty segment, without regard to the budget: for the one event that was started while there was room. */
    Segment takeBeyond(AppenderUsage usage) {
        writing.incrementAndGet();
        wakeMoverIfItHasWork();
        try {
            return make(usage);
        } catch (OutOfMemoryError e) {
            writing.decrementAndGet();
            throw noMemory(e);
        }
    }

    private boolean reserve() {
        for (int now = writing.get(); now < most; now = writing.get()) {
            if (writing.compareAndSet(now, now + 1)) {
                wakeMoverIfItHasWork();
                return true;
            }
        }
        return false;
    }

    private Segment make(AppenderUsage usage) {
        Segment segment = new Segment(this, usage, buffers.take(segmentSize));
        usage.add();
        return segment;
    }

    private TributaryException noMemory(OutOfMemoryError cause) {
        return new TributaryException(
                ErrorCode.STORE_FULL,
                "expected direct memory for a segment of " + segmentSize() + " bytes, found none: raise"
                        + " -XX:MaxDirectMemorySize or lower store.memory",
                cause);
    }

    /** A segment with ranges in use will not be filled any more. */
    void retired(Segment segment) {
        (segment.isEager() && spill != null ? eager : full).add(segment);
        wakeMoverIfItHasWork();
    }

    /** No range of it is in use any more. */
    void died(Segment segment) {
        reloaded.remove(segment);
        dropMemory(segment);
        if (segment.place() != null) {
            spill.release(segment.place());
        }
        segment.usage().remove();
    }

    /** Frees its memory if no thread reads it: the segment is dead, or is on disk. */
    boolean dropMemory(Segment segment) {
        ByteBuffer memory;
        boolean wasRead;
        synchronized (segment) {
            wasRead = segment.isReloaded();
            memory = segment.takeMemory();
        }
        if (memory == null) {
            return false;
        }
        eager.remove(segment);
        full.remove(segment);
        buffers.release(memory);
        (wasRead ? reading : writing).decrementAndGet();
        return true;
    }

    // ---- moving to disk

    /**
     * The next segment that should go to disk. Large payload is first. While memory runs short, the next is payload that has been held long enough to
     * be cold, else the newest, which will be needed last. Null if none should, or none can.
     */
    Segment nextToMove() {
        Segment segment = eager.pollOldest(0, Segment::tryHold);
        return segment == null && writing.get() >= high ? underPressure() : segment;
    }

    /** Moves a segment to disk so that there is memory now; false if none can be moved. */
    boolean moveOne() {
        if (spill == null) {
            return false;
        }
        Segment segment = eager.pollOldest(0, Segment::tryHold);
        if (segment == null) {
            segment = underPressure();
        }
        if (segment != null) {
            move(segment);
        }
        return segment != null;
    }

    /** Moves all large payload to disk. */
    void moveEager() {
        for (Segment segment = eager.pollOldest(0, Segment::tryHold);
                segment != null;
                segment = eager.pollOldest(0, Segment::tryHold)) {
            move(segment);
        }
    }

    /** A separate thread moves segments to disk: appenders wait for it. */
    void moverRuns() {
        hasMover = true;
    }

    boolean hasMover() {
        return hasMover;
    }

    /** Whether the mover should check for segments; it is possible that none of them can be moved. */
    boolean hasWork() {
        return eager.size() > 0 || writing.get() >= high && full.size() > 0;
    }

    /**
     * The mover's thread is about to sleep, or (null) is awake. It calls this before it calls {@link #hasWork}; a thread that creates work checks for
     * a sleeper afterwards. So at least one of the two sees the other.
     */
    void moverSleeps(Thread thread) {
        sleeper = thread;
    }

    private void wakeMoverIfItHasWork() {
        Thread asleep = sleeper;
        if (asleep != null && hasWork()) {
            LockSupport.unpark(asleep);
        }
    }

    private Segment underPressure() {
        Segment segment = full.pollOldest(COLD * most, SegmentPool::tryHoldUnpinned);
        return segment == null ? full.pollNewest(SegmentPool::tryHoldUnpinned) : segment;
    }

    private static boolean tryHoldUnpinned(Segment segment) {
        return !segment.isPinned() && segment.tryHold();
    }

    /** Whether some segment could go to disk. */
    boolean hasMovable() {
        return spill != null && eager.size() + full.size() > 0;
    }

    /** Writes a segment from {@link #nextToMove} to disk; readers continue meanwhile. */
    void move(Segment segment) {
        try {
            segment.movedTo(spill.write(segment.content()));
            dropMemory(segment);
        } finally {
            segment.giveBack();
        }
    }

    // ---- reading back

    /** Reads a segment back into memory and pins it. */
    void reload(Segment segment) {
        ByteBuffer buffer = readingBuffer();
        boolean used = false;
        try {
            used = segment.reload(buffer, spill);
        } finally {
            if (used) {
                reloaded.add(segment);
            } else {
                reading.decrementAndGet();
                buffers.release(buffer);
            }
        }
    }

    private ByteBuffer readingBuffer() {
        int now = reading.incrementAndGet();
        for (; now > mostReading && evictOldest(); now = reading.get()) {}
        try {
            return buffers.take(segmentSize);
        } catch (OutOfMemoryError e) {
            reading.decrementAndGet();
            throw noMemory(e);
        }
    }

    /** Removes the memory of the segment that was read back longest ago and that no thread reads now. */
    private boolean evictOldest() {
        Segment segment = reloaded.pollOldest(0, any -> !any.isPinned());
        if (segment == null) {
            return false;
        }
        ByteBuffer memory = segment.takeMemory();
        if (memory == null) { // another thread has begun to read it
            reloaded.add(segment);
            if (segment.isDead()) {
                reloaded.remove(segment);
            }
            return true;
        }
        buffers.release(memory);
        reading.decrementAndGet();
        return true;
    }

    /** Bytes of all segments in memory. */
    long bytesInUse() {
        return (long) buffers.acquired() * segmentSize;
    }
}
