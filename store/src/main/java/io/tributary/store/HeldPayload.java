package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What all payloads of the store have: their size, that they are released once, and whether a view of them is out. */
abstract sealed class HeldPayload implements Payload permits OneSegmentPayload, SegmentsPayload {
    private static final int HELD = 0;
    private static final int VIEWED = 1;
    private static final int RELEASED = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(HeldPayload.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int events;
    private volatile int state;

    HeldPayload(int events) {
        this.events = events;
    }

    @Override
    public final int events() {
        return events;
    }

    @Override
    public final void release() {
        int before = (int) STATE.getAndSet(this, RELEASED);
        if (before == RELEASED) {
            throw new TributaryException(ErrorCode.INTERNAL, "expected one release of a payload, got two: " + this);
        }
        giveBack(before == VIEWED);
    }

    /** Gives its bytes back, and first the pin of its view where there is one. */
    abstract void giveBack(boolean isViewed);

    /** A view goes out; false when one has before. */
    final boolean markViewed() {
        return STATE.compareAndSet(this, HELD, VIEWED);
    }

    final boolean isViewed() {
        return state == VIEWED;
    }

    final void checkHeld() {
        if (state == RELEASED) {
            throw new TributaryException(
                    ErrorCode.INTERNAL, "expected a payload that is held, it was released: " + this);
        }
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[" + length() + " bytes, " + events + " events]";
    }
}
