package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Prints progress lines, each with the seconds since the start. */
final class Progress {
    private final Consumer<String> out;
    private final long began = Clock.SYSTEM.nanoTime();

    Progress(Consumer<String> out) {
        this.out = out;
    }

    void report(String line) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(Clock.SYSTEM.nanoTime() - began);
        out.accept(String.format(Locale.ROOT, "%5d s  %s", seconds, line));
    }

    /** The time since then. */
    static Duration since(long nanos) {
        return Duration.ofNanos(Clock.SYSTEM.nanoTime() - nanos);
    }
}
