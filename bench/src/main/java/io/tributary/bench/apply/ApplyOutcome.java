package io.tributary.bench.apply;

/**
 * What a job has reached: a line of output.
 *
 * @param perSecond transactions per second, from the first one that was committed
 * @param cpu for each transaction, from the start of the job
 * @param readerShare CPU of the thread that reads the stream, as a share of a core, from the start of the job
 * @param retries batches that were repeated
 */
record ApplyOutcome(double perSecond, Cpu cpu, double readerShare, long retries) {
    private static final String WORD = "done";

    /**
     * CPU in microseconds.
     *
     * @param own of the process, without the threads of the JVM's compiler
     * @param network of the event loop, part of {@code own}
     * @param compiler of the JVM's compiler, which has less and less to do
     */
    record Cpu(double own, double network, double compiler) {}

    String line() {
        return WORD + " " + perSecond + " " + cpu.own() + " " + cpu.network() + " " + cpu.compiler() + " " + readerShare
                + " " + retries;
    }

    /** Throws with the text of a line that reports an error. */
    static ApplyOutcome parse(String line) {
        String[] parts = line.split(" ", -1);
        if (!parts[0].equals(WORD)) {
            throw new IllegalStateException("the applier failed: " + line);
        }
        Cpu cpu = new Cpu(Double.parseDouble(parts[2]), Double.parseDouble(parts[3]), Double.parseDouble(parts[4]));
        return new ApplyOutcome(
                Double.parseDouble(parts[1]), cpu, Double.parseDouble(parts[5]), Long.parseLong(parts[6]));
    }
}
