package io.tributary.bench.sink;

/**
 * What it cost a process to send rows to a topic.
 *
 * @param all from its start to the last row, with the JVM's compiler
 * @param later from about the half of the rows to the last one, without the JVM's compiler, which has little to do in a process that runs for a day
 * @param peakBytes peak of its resident memory
 */
record SendCost(Part all, Part later, long peakBytes) {
    /**
     * A part of the rows.
     *
     * @param cpuSeconds of the process, with garbage collection
     */
    record Part(long rows, double seconds, double cpuSeconds) {
        double perSecond() {
            return rows / seconds;
        }

        double perCpuSecond() {
            return rows / cpuSeconds;
        }
    }
}
