package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.TimedCommand;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One run of a reader over all sources.
 *
 * @param seconds from the first request to the last transaction in a file
 * @param usage of the reader's process, from its start
 * @param startCpuSeconds those of its CPU seconds that were used before the first request
 * @param sourceCpuSeconds of the source meanwhile
 * @param syncs how often it forced bytes to disk
 * @param warm the later half of the run
 */
record Outcome(
        double seconds, ProcessUsage usage, double startCpuSeconds, double sourceCpuSeconds, double syncs, Part warm) {
    /**
     * A part of a run.
     *
     * @param share of the whole load, 0 to 1
     * @param seconds that it took
     * @param usage of the reader's process meanwhile
     */
    record Part(double share, double seconds, ProcessUsage usage) {
        /** The run was over before anybody could look. */
        static final Part NONE = new Part(0, 0, new ProcessUsage(0, 0, 0, Map.of()));

        private static final double LEAST = 0.1;

        /** Of one program that ran from its start to its end. */
        static Part of(double share, TimedCommand time) {
            return new Part(share, time.seconds(), usageOf(time));
        }

        /** Whether it is too little to say anything. */
        boolean isTooShort() {
            return share < LEAST;
        }
    }

    /** What other programs did, one behind the other, each timed from its start to its end. */
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
