package io.tributary.bench.apply;

/**
 * What a job has reached: a line of output.
 *
 * @param perSecond transactions per second, from the first one that was committed
 * @param cpuMicros CPU of the process for each transaction, in microseconds, from the start of the job
 * @param readerShare CPU of the thread that reads the stream, as a share of a core, from the start of the job
 * @param networkMicros CPU of the event loop for each transaction; part of {@code cpuMicros}
 * @param retries batches that were repeated
 */
record ApplyOutcome(double perSecond, double cpuMicros, double readerShare, double networkMicros, long retries) {
    private static final String WORD = "done";

    String line() {
        return WORD + " " + perSecond + " " + cpuMicros + " " + readerShare + " " + networkMicros + " " + retries;
    }

    /** Throws with the text of a line that reports an error. */
    static ApplyOutcome parse(String line) {
        String[] parts = line.split(" ", -1);
        if (!parts[0].equals(WORD)) {
            throw new IllegalStateException("the applier failed: " + line);
        }
        return new ApplyOutcome(
                Double.parseDouble(parts[1]),
                Double.parseDouble(parts[2]),
                Double.parseDouble(parts[3]),
                Double.parseDouble(parts[4]),
                Long.parseLong(parts[5]));
    }
}
