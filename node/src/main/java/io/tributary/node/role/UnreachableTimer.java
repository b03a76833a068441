package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.util.function.LongSupplier;

/** For how long one try after the other has found no way to a Task: each failed in the network, and none was answered. Any thread. */
final class Unreached {
    private final LongSupplier nanoTime;
    private boolean isBegun;
    private long firstNanos;
    private long lastNanos;

    /** @param nanoTime the clock */
    Unreached(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** What ended a try; a Task that said why was reached. */
    synchronized void failed(TributaryException cause) {
        if (cause.code() != ErrorCode.STREAM_BROKEN || !(cause.getCause() instanceof IOException)) {
            reached();
            return;
        }
        lastNanos = nanoTime.getAsLong();
        firstNanos = isBegun ? firstNanos : lastNanos;
        isBegun = true;
    }

    /** A Task was. */
    synchronized void reached() {
        isBegun = false;
    }

    /** From the first of these failures to the last one, ns; a try that goes on does not count, for it may have been answered. */
    synchronized long nanos() {
        return isBegun ? lastNanos - firstNanos : 0;
    }
}
