package io.tributary.faults.report;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The result of one fault: one line of the report.
 *
 * @param topology topology of the test cluster
 * @param fault name of the fault
 * @param words description of the fault
 * @param transactions number of bank transactions that were committed meanwhile
 * @param lost number of lost transactions; duplicated and torn alike
 * @param served for each injection, the time until a reader received the first new transaction: the serve-RTO
 * @param lasted for each injection, the time from the fault to its end
 * @param invariants number of invariants that were checked
 * @param wrong the broken invariants, each as a text
 * @param skipped the reason why it was not injected; empty if it was
 */
public record FaultLine(
        String topology,
        String fault,
        String words,
        long transactions,
        long lost,
        long duplicated,
        long torn,
        List<Duration> served,
        List<Duration> lasted,
        int invariants,
        List<String> wrong,
        Optional<String> skipped) {
    public FaultLine {
        served = List.copyOf(served);
        lasted = List.copyOf(lasted);
        wrong = List.copyOf(wrong);
    }

    /** The line of a fault that was not injected. */
    public static FaultLine skipped(String topology, String fault, String words, String why) {
        return new FaultLine(topology, fault, words, 0, 0, 0, 0, List.of(), List.of(), 0, List.of(), Optional.of(why));
    }

    /** Whether nothing was lost, duplicated or torn, and all invariants held. */
    public boolean passed() {
        return lost == 0 && duplicated == 0 && torn == 0 && wrong.isEmpty();
    }

    /** The percentile by nearest rank, in milliseconds; -1 if there are no durations. */
    static long percentile(List<Duration> durations, double share) {
        if (durations.isEmpty()) {
            return -1;
        }
        long[] sorted = durations.stream().mapToLong(Duration::toMillis).toArray();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
