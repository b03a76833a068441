package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All segments and the memory that they share: some of it for what is written, the rest for what is read back from disk. Chooses what goes
 * to disk when the former runs short. Everything here happens once for a segment, never for an event.
 */
final class SegmentPool {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);
    /** A segment is cold when this many times the memory has been filled since. */
    private static final long COLD = 2;

    private final SegmentBuffers buffers;
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
        this.buffers = new SegmentBuffers(plan.segmentSize(), plan.writing() + plan.reading());
    }

    int segmentSize() {
        return buffers.size();
    }

    // ---- what is written

    /** Whether {@link #take} would give a segment now. */
    boolean hasMemory() {
        return writing.get() < most;
    }

    /** Segments of memory that may be written. */
    int most() {
        return most;
    }

    /** Segments of memory that are written now. */
    int writing() {
        return writing.get();
    }

    /** An empty segment, or null when all memory is in use. */
    Segment take(Share share) {
        if (!reserve()) {
            return null;
        }
        try {
            return make(share);
        } catch (OutOfMemoryError e) { // the JVM's own limit on direct memory: the rest goes to disk
            int now = writing.decrementAndGet();
            most = Math.max(1, Math.min(most, now));
            LOG.warn(
                    "The JVM gives no more direct memory than {} segments of {} bytes; what follows goes to disk. Raise"
                            + " -XX:MaxDirectMemorySize or lower store.memory.",
                    now,
                    segmentSize());
            return null;
        }
    }

    /** An empty segment, whatever the budget says: for the one event that was begun while there was room. */
    Segment takeBeyond(Share share) {
        writing.incrementAndGet();
        wakeMoverIfItHasWork();
        try {
            return make(share);
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

    private Segment make(Share share) {
        Segment segment = new Segment(this, share, buffers.take());
        share.add();
        return segment;
    }

    private TributaryException noMemory(OutOfMemoryError cause) {
        return new TributaryException(
                ErrorCode.STORE_FULL,
                "expected direct memory for a segment of " + segmentSize() + " bytes, got none: raise"
                        + " -XX:MaxDirectMemorySize or lower store.memory",
                cause);
    }

    /** A segment of which something is held is filled no more. */
    void retired(Segment segment) {
        (segment.isEager() && spill != null ? eager : full).add(segment);
        wakeMoverIfItHasWork();
    }

    /** Nothing of it is held any more. */
    void died(Segment segment) {
        reloaded.remove(segment);
        dropMemory(segment);
        if (segment.place() != null) {
            spill.release(segment.place());
        }
        segment.share().takeOff();
    }

    /** Its memory goes back if nobody looks at it: it is dead, or lies on disk. */
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
        buffers.giveBack(memory);
        (wasRead ? reading : writing).decrementAndGet();
        return true;
    }

    // ---- what goes to disk

    /**
     * What should go to disk next: first what is large; while memory runs short what has been held long enough to be cold, else the
     * newest, which will be needed last. Null when nothing should, or nothing can.
     */
    Segment nextToMove() {
        Segment segment = eager.pollOldest(0, Segment::tryHold);
        return segment == null && writing.get() >= high ? underPressure() : segment;
    }

    /** Moves something to disk so that there is memory now; false when there is nothing that could be. */
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

    /** Moves what is large to disk. */
    void moveEager() {
        for (Segment segment = eager.pollOldest(0, Segment::tryHold);
                segment != null;
                segment = eager.pollOldest(0, Segment::tryHold)) {
            move(segment);
        }
    }

    /** A thread of its own moves segments to disk: appenders wait for it. */
    void moverRuns() {
        hasMover = true;
    }

    boolean hasMover() {
        return hasMover;
    }

    /** Whether the mover should look: what is there may still turn out not to be movable. */
    boolean hasWork() {
        return eager.size() > 0 || writing.get() >= high && full.size() > 0;
    }

    /**
     * The mover's thread is about to sleep, or (null) does not any more. It says so before it asks {@link #hasWork}, and whoever
     * makes work looks for it afterwards: one of the two sees the other.
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

    /** Writes to disk what {@link #nextToMove} gave; readers go on meanwhile. */
    void move(Segment segment) {
        try {
            segment.movedTo(spill.write(segment.content()));
            dropMemory(segment);
        } finally {
            segment.giveBack();
        }
    }

    // ---- what is read back

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
                buffers.giveBack(buffer);
            }
        }
    }

    private ByteBuffer readingBuffer() {
        int now = reading.incrementAndGet();
        for (; now > mostReading && evictOldest(); now = reading.get()) {}
        try {
            return buffers.take();
        } catch (OutOfMemoryError e) {
            reading.decrementAndGet();
            throw noMemory(e);
        }
    }

    /** Takes the memory of what was read back longest ago and nobody looks at now. */
    private boolean evictOldest() {
        Segment segment = reloaded.pollOldest(0, any -> !any.isPinned());
        if (segment == null) {
            return false;
        }
        ByteBuffer memory = segment.takeMemory();
        if (memory == null) { // somebody has begun to look at it
            reloaded.add(segment);
            if (segment.isDead()) {
                reloaded.remove(segment);
            }
            return true;
        }
        buffers.giveBack(memory);
        reading.decrementAndGet();
        return true;
    }

    /** Bytes of all segments in memory. */
    long bytesInUse() {
        return (long) buffers.inUse() * segmentSize();
    }
}
