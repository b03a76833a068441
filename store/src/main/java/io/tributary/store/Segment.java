package io.tributary.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A piece of off-heap memory that one appender fills and many readers give back range by range.
 *
 * <p>The appender counts the ranges that it lends in a plain field; whoever gives one back counts down from a high number. When
 * the appender retires the segment both are settled, and whoever brings the count to 0 returns the segment to its pool.
 */
final class Segment {
    private static final int IN_HAND = 1 << 30;
    private static final VarHandle HOLDS;

    static {
        try {
            HOLDS = MethodHandles.lookup().findVarHandle(Segment.class, "holds", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SegmentPool pool;
    private final ByteBuffer buffer;
    private final ByteBuffer readOnly;
    private int lent;
    private volatile int holds;

    Segment(SegmentPool pool, int size) {
        this.pool = pool;
        this.buffer = ByteBuffer.allocateDirect(size);
        this.readOnly = buffer.asReadOnlyBuffer();
    }

    /** The whole memory; only the appender writes, only where nothing is lent. */
    ByteBuffer buffer() {
        return buffer;
    }

    ByteBuffer view(int at, int length) {
        return readOnly.slice(at, length);
    }

    /** Given to an appender, empty. */
    void takenOut() {
        lent = 0;
        holds = IN_HAND;
    }

    /** One more range has been lent; the appender only. */
    void lend() {
        lent++;
    }

    /** Whether every range that was lent has come back; the appender only. */
    boolean isIdle() {
        return holds == IN_HAND - lent;
    }

    /** The appender has no more use for it. */
    void retire() {
        settle(lent - IN_HAND);
    }

    /** A range comes back; any thread. */
    void giveBack() {
        settle(-1);
    }

    private void settle(int change) {
        if ((int) HOLDS.getAndAdd(this, change) + change == 0) {
            pool.putBack(this);
        }
    }
}
