package io.tributary.binlog;

import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;
import java.util.ArrayDeque;
import java.util.Deque;

/** Durable ends of the binlog that other Dumpers have not acknowledged yet, oldest first. Not thread-safe. */
final class UnacknowledgedCuts {
    private static final int MAX_ENDS = 4096;

    private final Deque<BinlogPosition> ends = new ArrayDeque<>();

    void add(BinlogPosition end) {
        if (ends.size() == MAX_ENDS) {
            ends.pollLast(); // it is acknowledged later, together with the next one
        }
        ends.addLast(end);
    }

    /** Removes all ends up to a place and returns the newest of them; null for none. */
    BinlogPosition removeUpTo(FileOffset place) {
        BinlogPosition newest = null;
        while (!ends.isEmpty() && FileOffset.of(ends.peekFirst()).compareTo(place) <= 0) {
            newest = ends.removeFirst();
        }
        return newest;
    }

    void clear() {
        ends.clear();
    }
}
