package io.tributary.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A piece of payload that one appender fills and many readers give back range by range: in memory, on the spill disk, or both.
 *
 * <p>Two counts say who needs it. <b>Holds</b>: ranges that are lent; the appender counts them in a plain field, whoever gives one back
 * counts down from a high number, and when the appender retires the segment both are settled. At 0 it is dead: memory and disk go
 * back. <b>Pins</b>: who looks at its memory now. Memory is taken away only at no pin, by one atomic step from no pin to {@link #ABSENT}; a
 * pin on an absent segment reads it back from disk first. So nobody waits for a segment that is being written to disk, and nobody's
 * view is ever pulled away.
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
    private final Share share;
    private ByteBuffer memory; // changed under the monitor and only while absent; read by whoever has a pin
    private ByteBuffer view;
    private int lent;
    private boolean eager;
    private volatile int filled;
    private volatile int holds = IN_HAND;
    private volatile int pins;
    private volatile SpillPlace place; // null until it is on disk
    private volatile boolean reloaded;

    // of the queue in which it stands, under the queue's lock
    Segment older;
    Segment newer;
    SegmentQueue queue;
    long number;

    /** Made for an appender, empty. */
    Segment(SegmentPool pool, Share share, ByteBuffer memory) {
        this.pool = pool;
        this.share = share;
        this.memory = memory;
        this.view = memory.asReadOnlyBuffer();
    }

    Share share() {
        return share;
    }

    // ---- the appender

    /** The whole memory; only the appender writes, only where nothing is lent. */
    ByteBuffer buffer() {
        return memory;
    }

    /** One more range has been lent. */
    void lend() {
        lent++;
    }

    /** Whether every range that was lent has come back. */
    boolean isIdle() {
        return holds == IN_HAND - lent;
    }

    /** It is filled from the beginning again: nothing of it is lent. */
    void rewind() {
        lent = 0;
        holds = IN_HAND;
    }

    /** It goes to disk as soon as it is retired. */
    void setEager(boolean goesToDisk) {
        eager = goesToDisk;
    }

    boolean isEager() {
        return eager;
    }

    /** The appender has no more use for it. */
    void retire(int bytes) {
        filled = bytes;
        if (!isIdle()) {
            pool.retired(this);
        }
        settle(lent - IN_HAND);
    }

    // ---- holds

    /** A range comes back; any thread. */
    void giveBack() {
        settle(-1);
    }

    /** Keeps a retired segment from dying; false when it is dead. {@link #giveBack()} follows. */
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

    private void settle(int change) {
        if ((int) HOLDS.getAndAdd(this, change) + change == 0) {
            pool.died(this);
        }
    }

    // ---- pins

    /** Sees to it that the bytes are in memory, and stay there until {@link #unpin()}. The caller holds a range. */
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

    /** A range of it; whoever asks has a pin. */
    ByteBuffer view(int at, int length) {
        return view.slice(at, length);
    }

    /** Takes the memory away if nobody has a pin on it; null otherwise. */
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
     * @return false when somebody else has read it back meanwhile: it is pinned, and the buffer not needed
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

    /** Bytes in it; to be asked when it is retired. */
    int filled() {
        return filled;
    }

    /** All bytes that may be lent; whoever asks has a pin. */
    ByteBuffer content() {
        return memory.slice(0, filled);
    }

    void movedTo(SpillPlace newPlace) {
        place = newPlace;
    }

    /** Null while it is in memory only. */
    SpillPlace place() {
        return place;
    }

    /** Whether the memory in which it is was taken to read it back. */
    boolean isReloaded() {
        return reloaded;
    }
}
