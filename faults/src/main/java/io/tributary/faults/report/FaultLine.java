package io.tributary.faults.report;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What came of one fault.
 *
 * @param topology of the site
 * @param fault its name
 * @param words what was done
 * @param transactions of the bank that were committed meanwhile
 * @param lost of these, and so on: transactions
 * @param served how long after each injection a reader got the first new transaction: the serve-RTO
 * @param lasted how long each injection lasted, from the fault to its mending
 * @param invariants how many were looked at, and how many of these were broken
 * @param wrong what was found, in words
 * @param skipped why it was not injected; empty where it was
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

    /** A fault that cannot be injected here. */
    public static FaultLine skipped(String topology, String fault, String words, String why) {
        return new FaultLine(topology, fault, words, 0, 0, 0, 0, List.of(), List.of(), 0, List.of(), Optional.of(why));
    }

    /** Whether nothing was lost, duplicated or torn, and all invariants held. */
    public boolean passed() {
        return lost == 0 && duplicated == 0 && torn == 0 && wrong.isEmpty();
    }

    /** The smallest of these that this share of them does not pass (nearest rank), in milliseconds; -1 for none. */
    static long percentile(List<Duration> durations, double share) {
        if (durations.isEmpty()) {
            return -1;
        }
        long[] sorted = durations.stream().mapToLong(Duration::toMillis).toArray();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
