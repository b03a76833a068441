package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.TimedCommand;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of one run of a reader over all sources.
 *
 * @param seconds from the first request to the last transaction in a file
 * @param usage usage of the reader's process since its start
 * @param startCpuSeconds CPU seconds of the process before the first request
 * @param sourceCpuSeconds CPU seconds of the source in the same time
 * @param syncs number of forces to disk
 * @param warm the later half of the run
 */
record Outcome(
        double seconds, ProcessUsage usage, double startCpuSeconds, double sourceCpuSeconds, double syncs, Part warm) {
    /**
     * A part of a run.
     *
     * @param share share of the whole load, 0 to 1
     * @param seconds its duration
     * @param usage usage of the reader's process in this time
     */
    record Part(double share, double seconds, ProcessUsage usage) {
        /** No part: the run ended before a measurement. */
        static final Part NONE = new Part(0, 0, new ProcessUsage(0, 0, 0, Map.of()));

        private static final double LEAST = 0.1;

        /** The result of one program from its start to its end. */
        static Part of(double share, TimedCommand time) {
            return new Part(share, time.seconds(), usageOf(time));
        }

        /** Whether it is too short for a useful value. */
        boolean isTooShort() {
            return share < LEAST;
        }
    }

    /** The result of other programs that ran one after another, each measured from its start to its end. */
    static Outcome of(TimedCommand all, double sourceCpuSeconds, Part later) {
        return new Outcome(all.seconds(), usageOf(all), 0, sourceCpuSeconds, 0, later);
    }

    private static ProcessUsage usageOf(TimedCommand time) {
        return new ProcessUsage(time.userSeconds(), time.systemSeconds(), 0, Map.of());
    }

    /** The busiest threads in the later half, with the nanoseconds of CPU per event of each. */
    String threads(Load load) {
        return warm.usage().busiestThreads(16).entrySet().stream()
                .map(thread -> String.format(
                        Locale.ROOT,
                        "%s %.0f",
                        thread.getKey(),
                        thread.getValue() * 1e9 / (load.events() * warm.share())))
                .collect(Collectors.joining(", "));
    }

    double cpuSeconds() {
        return usage.cpuSeconds();
    }
}
