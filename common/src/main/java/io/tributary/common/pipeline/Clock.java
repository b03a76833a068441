package io.tributary.common.pipeline;

import java.util.concurrent.TimeUnit;

/** The only source of time in the product; a simulation provides another one. */
public interface Clock {
    /** Nanoseconds from an arbitrary origin; never decreases. */
    long nanoTime();

    /** Microseconds since 1970-01-01 UTC by the machine's clock. */
    long epochMicros();

    /** The machine's clocks. */
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
