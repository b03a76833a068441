package io.tributary.store;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The number of segments that one appender's payload occupies in the store, in memory and on disk. */
final class AppenderUsage {
    private final String name;
    private final Set<String> shards;
    private final AtomicInteger segments = new AtomicInteger();
    private volatile boolean waits;

    /** @param shards the shards whose payload it is */
    AppenderUsage(String name, Set<String> shards) {
        this.name = name;
        this.shards = Set.copyOf(shards);
    }

    String name() {
        return name;
    }

    Set<String> shards() {
        return shards;
    }

    void add() {
        segments.incrementAndGet();
    }

    void remove() {
        segments.decrementAndGet();
    }

    int segments() {
        return segments.get();
    }

    /** Whether its appender had no room at the last call. */
    boolean waits() {
        return waits;
    }

    void setWaits(boolean hasNoRoom) {
        waits = hasNoRoom;
    }
}
