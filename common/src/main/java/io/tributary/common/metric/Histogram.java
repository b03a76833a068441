package io.tributary.common.metric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of values by upper bounds, with one writer and any number of readers. Recording a value costs a short search and two plain
 * additions: no lock, no clock and no object.
 */
public final class Histogram {
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final long[] bounds;
    private final double unit;
    private final long[] counts; // of each bound, then of larger values, then the sum of all values

    private Histogram(double unit, long... bounds) {
        this.unit = unit;
        this.bounds = bounds;
        this.counts = new long[bounds.length + 2];
    }

    /** Of durations, recorded in nanoseconds and shown in seconds: bounds from 0.1 ms to 60 s. */
    public static Histogram ofNanos() {
        return new Histogram(
                1e9,
                100 * MICRO,
                250 * MICRO,
                500 * MICRO,
                MILLI,
                2500 * MICRO,
                5 * MILLI,
                10 * MILLI,
                25 * MILLI,
                50 * MILLI,
                100 * MILLI,
                250 * MILLI,
                500 * MILLI,
                SECOND,
                2500 * MILLI,
                5 * SECOND,
                10 * SECOND,
                30 * SECOND,
                60 * SECOND);
    }

    /** Of sizes in bytes: bounds from 256 bytes to 16 MiB, each four times the one before. */
    public static Histogram ofBytes() {
        return new Histogram(1, 1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24);
    }

    /** Records a value; for the writer's thread only. Negative values count as 0. */
    public void record(long value) {
        long counted = Math.max(0, value);
        int at = 0;
        while (at < bounds.length && bounds[at] < counted) {
            at++;
        }
        COUNTS.setOpaque(counts, at, counts[at] + 1);
        int sum = bounds.length + 1;
        COUNTS.setOpaque(counts, sum, counts[sum] + counted);
    }

    /** Upper bounds in the unit that is shown, without the last one, which is infinite. */
    double[] bounds() {
        double[] shown = new double[bounds.length];
        for (int i = 0; i < shown.length; i++) {
            shown[i] = bounds[i] / unit;
        }
        return shown;
    }

    /** The number of values between each bound and the one before, then of those above the last bound; any thread. */
    long[] counts() {
        long[] now = new long[bounds.length + 1];
        for (int i = 0; i < now.length; i++) {
            now[i] = (long) COUNTS.getOpaque(counts, i);
        }
        return now;
    }

    /** The sum of all values in the unit that is shown; any thread. */
    double sum() {
        return (long) COUNTS.getOpaque(counts, bounds.length + 1) / unit;
    }
}
