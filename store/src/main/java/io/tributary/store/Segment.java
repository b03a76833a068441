package io.tributary.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A block of payload that one appender fills and many readers release range by range: in memory, on the spill disk, or both.
 *
 * <p>Two counters show whether it is needed. <b>Holds</b>: ranges that are not released. The appender counts them in a plain field; a release
 * decrements a high number; when the appender retires the segment, the two are combined. At 0 the segment is dead: its memory and disk space are
 * freed. <b>Pins</b>: threads that read its memory now. Memory is removed only without pins, by one atomic step from no pin to {@link #ABSENT}; a pin
 * on an absent segment first reads it back from disk. So no thread waits for a segment that is being written to disk, and the memory of a view is
 * never removed.
 */
final class Segment {
    private static final int IN_HAND = 1 << 30;
    private static final int ABSENT = 1 << 30;
    private static final VarHandle HOLDS;
    private static final VarHandle PINS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HOLDS = lookup.findVarHandle(Segment.class, "holds", int.class);
            PINS = lookup.findVarHandle(Segment.class, "pins", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SegmentPool pool;
    private final AppenderUsage usage;
    private ByteBuffer memory; // changed under the monitor and only while absent; read with a pin
    private ByteBuffer view;
    private int lent;
    private boolean eager;
    private volatile int filled;
    private volatile int holds = IN_HAND;
    private volatile int pins;
    private volatile SpillPlace place; // null until it is on disk
    private volatile boolean reloaded;

    // links of the queue that contains it, under the queue's lock
    Segment older;
    Segment newer;
    SegmentQueue queue;
    long number;

    /** Creates an empty segment for an appender. */
    Segment(SegmentPool pool, AppenderUsage usage, ByteBuffer memory) {
        this.pool = pool;
        this.usage = usage;
        this.memory = memory;
        this.view = memory.asReadOnlyBuffer();
    }

    AppenderUsage usage() {
        return usage;
    }

    // ---- the appender

    /** The whole memory; only the appender writes to it, and only to parts without ranges. */
    ByteBuffer buffer() {
        return memory;
    }

    /** One more range has been handed out. */
    void lend() {
        lent++;
    }

    /** Whether every range that was handed out has been released. */
    boolean isIdle() {
        return holds == IN_HAND - lent;
    }

    /** It is filled from the beginning again; no range of it is in use. */
    void rewind() {
        lent = 0;
        holds = IN_HAND;
    }

    /** Sets whether it goes to disk as soon as it is retired. */
    void setEager(boolean goesToDisk) {
        eager = goesToDisk;
    }

    boolean isEager() {
        return eager;
    }

    /** The appender does not need it any more. */
    void retire(int bytes) {
        filled = bytes;
        if (!isIdle()) {
            pool.retired(this);
        }
        changeHolds(lent - IN_HAND);
    }

    // ---- holds

    /** Releases a range; any thread. */
    void giveBack() {
        changeHolds(-1);
    }

    /** Keeps a retired segment alive; false if it is dead. {@link #giveBack()} must follow. */
    boolean tryHold() {
        for (int now = holds; now > 0; now = holds) {
            if (HOLDS.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    boolean isDead() {
        return holds == 0;
    }

    private void changeHolds(int change) {
        if ((int) HOLDS.getAndAdd(this, change) + change == 0) {
            pool.died(this);
        }
    }

    // ---- pins

    /** Ensures that the bytes are in memory, and stay there until {@link #unpin()}. The caller holds a range. */
    void pin() {
        if (!tryPin()) {
            pool.reload(this);
        }
    }

    private boolean tryPin() {
        for (int now = pins; now != ABSENT; now = pins) {
            if (PINS.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    void unpin() {
        boolean isLast = (int) PINS.getAndAdd(this, -1) == 1;
        if (isLast && (holds == 0 || place != null && !reloaded)) {
            pool.dropMemory(this);
        }
    }

    boolean isPinned() {
        int now = pins;
        return now != 0 && now != ABSENT;
    }

    /** A range of it; the caller has a pin. */
    ByteBuffer view(int at, int length) {
        return view.slice(at, length);
    }

    /** Removes and returns the memory if there is no pin on it; null otherwise. */
    synchronized ByteBuffer takeMemory() {
        if (!PINS.compareAndSet(this, 0, ABSENT)) {
            return null;
        }
        ByteBuffer taken = memory;
        memory = null;
        view = null;
        return taken;
    }

    /**
     * Reads it back into a buffer and pins it.
     *
     * @return false if another thread has read it back meanwhile: it is pinned, and the buffer is not needed
     */
    synchronized boolean reload(ByteBuffer buffer, Spill spill) {
        if (tryPin()) {
            return false;
        }
        spill.read(place, buffer);
        memory = buffer;
        view = buffer.asReadOnlyBuffer();
        reloaded = true;
        pins = 1;
        return true;
    }

    // ---- the disk

    /** Bytes in it; to be called when it is retired. */
    int filled() {
        return filled;
    }

    /** All bytes that may be in use; the caller has a pin. */
    ByteBuffer content() {
        return memory.slice(0, filled);
    }

    void movedTo(SpillPlace newPlace) {
        place = newPlace;
    }

    /** Its address on disk; null while it is in memory only. */
    SpillPlace place() {
        return place;
    }

    /** Whether its memory was allocated to read it back. */
    boolean isReloaded() {
        return reloaded;
    }
}
