package io.tributary.dumper;

import java.util.ArrayDeque;
import java.util.Deque;

/** Durable ends that wait until they are acknowledged elsewhere, oldest first. Not for several threads at once. */
final class WaitingEnds {
    private static final int MOST = 4096;

    private final Deque<DurableEnd> ends = new ArrayDeque<>();

    void add(DurableEnd end) {
        if (ends.size() == MOST) {
            ends.pollLast(); // acknowledged with the one behind it, only later
        }
        ends.addLast(end);
    }

    /** Takes all up to a place out; the newest of them, null for none. */
    DurableEnd takeUpTo(BinlogPlace place) {
        DurableEnd newest = null;
        while (!ends.isEmpty() && BinlogPlace.of(ends.peekFirst()).compareTo(place) <= 0) {
            newest = ends.removeFirst();
        }
        return newest;
    }

    void clear() {
        ends.clear();
    }
}
