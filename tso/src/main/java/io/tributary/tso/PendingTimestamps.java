package io.tributary.tso;

import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The timestamps whose transactions are neither prepared nor given up, and the callers that wait for them. The turn of a timestamp is granted when no
 * smaller timestamp is open. One thread.
 */
final class PendingTimestamps {
    private final long leaseNanos;
    /** When the lease of each timestamp ends. All leases have the same length, so the map is in the order of timestamps and of ends. */
    private final Map<Long, Long> ends = new LinkedHashMap<>();

    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::tso));

    /** A caller that waits until no timestamp smaller than this is open. */
    record Waiting(long tso, Runnable onTurn) {}

    PendingTimestamps(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /** Opens timestamps, which are larger than all before. */
    void open(long first, int count, long now) {
        for (long tso = first; tso < first + count; tso++) {
            ends.put(tso, now + leaseNanos);
        }
    }

    /** Closes a timestamp that is prepared or given up; false if it was not open. */
    boolean close(long tso) {
        return ends.remove(tso) != null;
    }

    /**
     * Registers a callback for the turn of a closed timestamp; {@link #grantTurns} calls it.
     *
     * @return the argument for {@link #forget}
     */
    Waiting await(long tso, Runnable onTurn) {
        Waiting one = new Waiting(tso, onTurn);
        waiting.add(one);
        return one;
    }

    /** Removes a caller that does not wait any more. */
    void forget(Waiting one) {
        waiting.remove(one);
    }

    /** Closes the timestamps whose lease has ended; returns their number. */
    int expire(long now) {
        int expired = 0;
        for (Iterator<Long> oldest = ends.values().iterator(); oldest.hasNext(); expired++) {
            if (oldest.next() - now > 0) {
                break;
            }
            oldest.remove();
        }
        return expired;
    }

    /** Calls the callbacks of all timestamps whose turn is granted now. */
    void grantTurns() {
        long lowest = ends.isEmpty() ? Long.MAX_VALUE : ends.keySet().iterator().next();
        while (!waiting.isEmpty() && waiting.peek().tso() <= lowest) {
            waiting.poll().onTurn().run();
        }
    }

    int count() {
        return ends.size();
    }

    /** The time since which the oldest one is open; {@code now} if none is. */
    long oldestNanos(long now) {
        return ends.isEmpty() ? now : ends.values().iterator().next() - leaseNanos;
    }
}
