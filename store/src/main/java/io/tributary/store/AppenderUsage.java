package io.tributary.store;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** What one appender's payload holds of the store, in segments, wherever they lie. */
final class Share {
    private final String name;
    private final Set<String> shards;
    private final AtomicInteger segments = new AtomicInteger();
    private volatile boolean waits;

    /** @param shards those whose payload it is */
    Share(String name, Set<String> shards) {
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

    void takeOff() {
        segments.decrementAndGet();
    }

    int segments() {
        return segments.get();
    }

    /** Whether its appender found no room when it asked last. */
    boolean waits() {
        return waits;
    }

    void setWaits(boolean hasNoRoom) {
        waits = hasNoRoom;
    }
}
