package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Payload;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** What all payloads of the store have: their size, and that they are released once. */
abstract sealed class HeldPayload implements Payload permits SegmentPayload, PartsPayload {
    private static final AtomicIntegerFieldUpdater<HeldPayload> RELEASED =
            AtomicIntegerFieldUpdater.newUpdater(HeldPayload.class, "released");

    private final int events;

    @SuppressWarnings("unused") // by RELEASED
    private volatile int released;

    HeldPayload(int events) {
        this.events = events;
    }

    @Override
    public final int events() {
        return events;
    }

    @Override
    public final void release() {
        if (!RELEASED.compareAndSet(this, 0, 1)) {
            throw new TributaryException(ErrorCode.INTERNAL, "expected one release of a payload, got two: " + this);
        }
        giveBack();
    }

    abstract void giveBack();

    final void checkHeld() {
        if (released != 0) {
            throw new TributaryException(
                    ErrorCode.INTERNAL, "expected a payload that is held, it was released: " + this);
        }
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[" + length() + " bytes, " + events + " events]";
    }
}
