package io.tributary.store;

import java.util.concurrent.atomic.AtomicInteger;

/** What one appender's payload holds of the store, in segments, wherever they lie. */
final class Share {
    private final String name;
    private final AtomicInteger segments = new AtomicInteger();
    private volatile boolean waits;

    Share(String name) {
        this.name = name;
    }

    String name() {
        return name;
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
