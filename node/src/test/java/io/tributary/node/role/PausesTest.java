package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PausesTest {
    private final Pauses pauses = new Pauses();

    private long nextSeconds(long ranSeconds) {
        return TimeUnit.NANOSECONDS.toSeconds(pauses.nextNanos(TimeUnit.SECONDS.toNanos(ranSeconds)));
    }

    @Test
    void growFromOneSecondToThirty() {
        for (long expected : new long[] {1, 2, 4, 8, 16, 30, 30}) {
            assertEquals(expected, nextSeconds(0));
        }
    }

    @Test
    void beginAgainAfterAGoodRun() {
        nextSeconds(0);
        nextSeconds(0);
        assertEquals(1, nextSeconds(60));
        assertEquals(2, nextSeconds(59));
    }
}
