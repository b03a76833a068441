package io.tributary.node.process;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Measures for how long no Task was reached: all attempts failed in the network, and none was answered. For any thread. */
public final class UnreachableTimer {
    private final LongSupplier nanoTime;
    private boolean isBegun;
    private long firstNanos;
    private long lastNanos;

    /** @param nanoTime the clock */
    public UnreachableTimer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** An attempt has failed; a Task that answered with a reason was reached. */
    public synchronized void failed(TributaryException cause) {
        if (cause.code() != ErrorCode.STREAM_BROKEN || !(cause.getCause() instanceof IOException)) {
            reached();
            return;
        }
        lastNanos = nanoTime.getAsLong();
        firstNanos = isBegun ? firstNanos : lastNanos;
        isBegun = true;
    }

    /** A Task was reached. */
    public synchronized void reached() {
        isBegun = false;
    }

    /** From the first of these failures to the last one, ns; a running attempt does not count, since it may have been answered. */
    public synchronized long nanos() {
        return isBegun ? lastNanos - firstNanos : 0;
    }
}
