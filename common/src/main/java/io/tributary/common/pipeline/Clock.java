package io.tributary.common.pipeline;

import java.util.concurrent.TimeUnit;

/** The only source of time in the product; a simulation gives its own. */
public interface Clock {
    /** Nanoseconds from an arbitrary origin; never goes back. */
    long nanoTime();

    /** Microseconds since 1970-01-01 UTC, as the machine believes. */
    long epochMicros();

    /** The machine's own clocks. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long epochMicros() {
            java.time.Instant now = java.time.Instant.now();
            return TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + now.getNano() / 1000;
        }
    };
}
