package io.tributary.common.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimedLeaseTest {
    private final Time time = new Time();
    private final TimedLease lease = new TimedLease(time, Duration.ofNanos(100), time.nanoTime());

    /** A clock that the test moves, close to its overflow. */
    private static final class Time implements Clock {
        private long now = Long.MAX_VALUE - 50;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long epochMicros() {
            return 0;
        }
    }

    @Test
    void holdsForItsLengthFromTheRequestForTheProof() {
        long asked = time.now + 40;
        time.now += 90;
        lease.prove(asked);
        assertEquals(50, lease.leftNanos());
        time.now += 49;
        assertTrue(lease.holds());
        time.now += 1;
        assertFalse(lease.holds());
        assertEquals(0, lease.leftNanos());
    }

    @Test
    void isNotRenewedByALateProof() {
        time.now += 100;
        lease.prove(time.now - 10);
        assertFalse(lease.holds());
    }

    @Test
    void isNotShortenedByAnOldProof() {
        lease.prove(time.now - 60);
        time.now += 99;
        assertTrue(lease.holds());
    }

    @Test
    void endsAtOnceWhenItIsGivenUp() {
        lease.end();
        lease.prove(time.now);
        assertFalse(lease.holds());
    }
}
