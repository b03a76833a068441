package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Common base of all payloads of the store: their size, a check that they are released once, and whether a view of them was handed out. */
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

    /** Releases its bytes, and before that the pin of its view if there is one. */
    abstract void giveBack(boolean isViewed);

    /** Marks that a view is handed out; false if one was handed out before. */
    final boolean markViewed() {
        return STATE.compareAndSet(this, HELD, VIEWED);
    }

    final boolean isViewed() {
        return state == VIEWED;
    }

    final void checkHeld() {
        if (state == RELEASED) {
            throw new TributaryException(
                    ErrorCode.INTERNAL, "expected a payload that is held, found a released one:  " + this);
        }
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[" + length() + " bytes, " + events + " events]";
    }
}
