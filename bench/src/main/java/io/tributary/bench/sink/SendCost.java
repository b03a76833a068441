package io.tributary.bench.sink;

/**
 * What it cost a process to send rows to a topic.
 *
 * @param all from its start to the last row
 * @param later from about the half of the rows to the last one
 * @param peakBytes peak of its resident memory
 */
record SendCost(Part all, Part later, long peakBytes) {
    /**
     * A part of the rows.
     *
     * @param cpuSeconds of the whole process, with the JVM's compiler and garbage collection
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
