package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;
import io.tributary.bench.TimedCommand;
import io.tributary.bench.source.SourceProcess;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One run of a reader over all sources.
 *
 * @param seconds from the first request to the last transaction in a file
 * @param usage of the reader's process, from its start
 * @param startCpuSeconds those of its CPU seconds that were used before the first request
 * @param sourceCpuSeconds of the source meanwhile
 * @param syncs how often it forced bytes to disk
 * @param warm the later half of the run, for a program that is compiled while it runs; all of it for another
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
    record Part(double share, double seconds, ProcessUsage usage) {}

    /** What another program did, timed from its start to its end. */
    static Outcome of(SourceProcess source, Supplier<TimedCommand> program) {
        source.reset();
        double before = ProcessUsage.of(source.pid()).cpuSeconds();
        TimedCommand time = program.get();
        double sourceCpu = ProcessUsage.of(source.pid()).cpuSeconds() - before;
        ProcessUsage used = new ProcessUsage(time.userSeconds(), time.systemSeconds(), 0, Map.of());
        return new Outcome(time.seconds(), used, 0, sourceCpu, 0, new Part(1, time.seconds(), used));
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
