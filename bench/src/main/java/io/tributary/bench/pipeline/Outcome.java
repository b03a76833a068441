package io.tributary.bench.pipeline;

import io.tributary.bench.ProcessUsage;

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

    double cpuSeconds() {
        return usage.cpuSeconds();
    }
}
