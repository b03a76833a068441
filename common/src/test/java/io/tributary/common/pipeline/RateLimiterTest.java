package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private long nowNanos = Long.MAX_VALUE - 1; // nanoTime may overflow

    private final RateLimiter limiter = new RateLimiter(new Clock() {
        @Override
        public long nanoTime() {
            return nowNanos;
        }

        @Override
        public long epochMicros() {
            return 0;
        }
    });

    private long waitMillis() {
        return TimeUnit.NANOSECONDS.toMillis(limiter.waitNanos());
    }

    @Test
    void theNextBlockWaitsUntilTheDebtIsPaid() {
        limiter.rate(1000);
        assertEquals(0, waitMillis());
        limiter.sent(500);
        assertEquals(500, waitMillis());
        nowNanos += TimeUnit.MILLISECONDS.toNanos(200);
        assertEquals(300, waitMillis());
        limiter.sent(100);
        assertEquals(400, waitMillis());
        nowNanos += TimeUnit.SECONDS.toNanos(10);
        assertEquals(0, waitMillis());
        limiter.sent(1000);
        assertEquals(1000, waitMillis(), "idle time is no credit");
    }

    @Test
    void withoutARateNothingWaits() {
        limiter.sent(1 << 30);
        assertEquals(0, waitMillis());
    }
}
