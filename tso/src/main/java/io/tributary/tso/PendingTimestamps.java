package io.tributary.tso;

import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The timestamps whose transactions are neither prepared nor given up, and who waits for them. A turn has come when no smaller
 * timestamp is open. One thread.
 */
final class OpenTurns {
    private final long leaseNanos;
    /** When each one's lease ends; as all leases are of one length, in the order of both timestamps and ends. */
    private final Map<Long, Long> ends = new LinkedHashMap<>();

    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::tso));

    /** Somebody who waits until no smaller timestamp than this is open. */
    record Waiting(long tso, Runnable comes) {}

    OpenTurns(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /** These are open from now on; they are larger than all before. */
    void open(long first, int count, long now) {
        for (long tso = first; tso < first + count; tso++) {
            ends.put(tso, now + leaseNanos);
        }
    }

    /** One is prepared or given up; false where it was not open. */
    boolean close(long tso) {
        return ends.remove(tso) != null;
    }

    /**
     * Has somebody told when the turn of a closed timestamp has come; {@link #tellTurns} does it.
     *
     * @return what {@link #forget} takes
     */
    Waiting await(long tso, Runnable comes) {
        Waiting one = new Waiting(tso, comes);
        waiting.add(one);
        return one;
    }

    /** Somebody does not wait any more. */
    void forget(Waiting one) {
        waiting.remove(one);
    }

    /** Closes what is past its lease; how many. */
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

    /** Tells all whose turn has come. */
    void tellTurns() {
        long lowest = ends.isEmpty() ? Long.MAX_VALUE : ends.keySet().iterator().next();
        while (!waiting.isEmpty() && waiting.peek().tso() <= lowest) {
            waiting.poll().comes().run();
        }
    }

    int count() {
        return ends.size();
    }

    /** Since when the oldest one is open; {@code now} where none is. */
    long oldestNanos(long now) {
        return ends.isEmpty() ? now : ends.values().iterator().next() - leaseNanos;
    }
}
