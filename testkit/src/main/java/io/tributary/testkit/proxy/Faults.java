package io.tributary.testkit.proxy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The faults that a proxy applies to the bytes that pass. Set by tests, read by the proxy's thread. */
final class Faults {
    private static final long NEVER = -1;
    private static final byte FLIPPED_BITS = 0x01;

    private final Map<Direction, Budget> budgets = new EnumMap<>(Direction.class);
    private final Set<Direction> silent = EnumSet.noneOf(Direction.class);
    private boolean refusing;
    private long delayNanos;
    private long bytesPerSecond;

    /** The counts of one direction over all connections. The two faults count down from the call that sets them. */
    private static final class Budget {
        long passed;
        long untilCut = NEVER;
        long untilFlip = NEVER;
    }

    Faults() {
        for (Direction direction : Direction.values()) {
            budgets.put(direction, new Budget());
        }
    }

    synchronized void clear() {
        silent.clear();
        refusing = false;
        delayNanos = 0;
        bytesPerSecond = 0;
        for (Budget budget : budgets.values()) {
            budget.untilCut = NEVER;
            budget.untilFlip = NEVER;
        }
    }

    synchronized void cutAfter(Direction direction, long bytes) {
        budgets.get(direction).untilCut = bytes;
    }

    synchronized void flipAfter(Direction direction, long bytes) {
        budgets.get(direction).untilFlip = bytes;
    }

    synchronized void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    synchronized void throttle(long rate) {
        bytesPerSecond = rate;
    }

    synchronized void silence(Set<Direction> directions) {
        silent.addAll(directions);
    }

    synchronized void refuse(boolean on) {
        refusing = on;
    }

    synchronized boolean isSilent(Direction direction) {
        return silent.contains(direction);
    }

    synchronized boolean isRefusing() {
        return refusing;
    }

    synchronized long delayNanos() {
        return delayNanos;
    }

    synchronized long bytesPerSecond() {
        return bytesPerSecond;
    }

    synchronized long passed(Direction direction) {
        return budgets.get(direction).passed;
    }

    /** Whether a cut is due before the next byte in this direction; true only once. */
    synchronized boolean cutsNow(Direction direction) {
        Budget budget = budgets.get(direction);
        if (budget.untilCut != 0) {
            return false;
        }
        budget.untilCut = NEVER;
        return true;
    }

    /** Applies a flip and a cut to the bytes from position to limit; sets the limit to the place of the cut. */
    synchronized void apply(Direction direction, ByteBuffer bytes) {
        Budget budget = budgets.get(direction);
        if (budget.untilCut >= 0 && budget.untilCut < bytes.remaining()) {
            bytes.limit(bytes.position() + (int) budget.untilCut);
        }
        int count = bytes.remaining();
        if (budget.untilFlip >= 0 && budget.untilFlip < count) {
            int at = bytes.position() + (int) budget.untilFlip;
            bytes.put(at, (byte) (bytes.get(at) ^ FLIPPED_BITS));
            budget.untilFlip = NEVER;
        }
        budget.untilFlip = budget.untilFlip < 0 ? NEVER : budget.untilFlip - count;
        budget.untilCut = budget.untilCut < 0 ? NEVER : budget.untilCut - count;
        budget.passed += count;
    }
}
