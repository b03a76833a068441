package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff pauses = new Backoff();

    private long nextMillis(boolean madeProgress) {
        return TimeUnit.NANOSECONDS.toMillis(pauses.nextNanos(madeProgress));
    }

    @Test
    void growFrom100MillisecondsToFiveSeconds() {
        for (long expected : new long[] {100, 200, 400, 800, 1600, 3200, 5000, 5000}) {
            assertEquals(expected, nextMillis(false));
        }
    }

    @Test
    void startAgainAfterARunThatMadeProgress() {
        nextMillis(false);
        nextMillis(false);
        assertEquals(100, nextMillis(true));
        assertEquals(200, nextMillis(false));
    }

    @Test
    void theLimitMayChange() {
        AtomicLong longest = new AtomicLong(TimeUnit.MILLISECONDS.toNanos(300));
        Backoff limited = Backoff.upTo(longest::get);
        for (long expected : new long[] {100, 200, 300, 300}) {
            assertEquals(expected, TimeUnit.NANOSECONDS.toMillis(limited.nextNanos()));
        }
        longest.set(TimeUnit.MILLISECONDS.toNanos(150));
        assertEquals(150, TimeUnit.NANOSECONDS.toMillis(limited.nextNanos()));
        longest.set(1);
        assertEquals(100, TimeUnit.NANOSECONDS.toMillis(limited.nextNanos()), "not less than the first one");
    }
}
