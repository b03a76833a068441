package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DateWatchTest {
    private long nanos = -77;
    private long micros = 1_700_000_000_000_000L;

    private final DateWatch watch = new DateWatch(new Clock() {
        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long epochMicros() {
            return micros;
        }
    });

    private void pass(Duration time) {
        nanos += time.toNanos();
        setDate(time);
    }

    private void setDate(Duration by) {
        micros += by.toNanos() / 1000;
    }

    @Test
    void passingTimeAndSmallCorrectionsAreNoJump() {
        for (int day = 0; day < 400; day++) {
            pass(Duration.ofDays(1));
            assertFalse(watch.hasJumped());
        }
        setDate(Duration.ofMinutes(59));
        assertFalse(watch.hasJumped());
        setDate(Duration.ofMinutes(-118));
        assertFalse(watch.hasJumped());
    }

    @Test
    void aJumpForwardOrBackwardIsReportedUntilTheDateIsRestored() {
        for (Duration jump : new Duration[] {Duration.ofDays(40), Duration.ofDays(-40), Duration.ofMinutes(61)}) {
            setDate(jump);
            assertTrue(watch.hasJumped(), jump.toString());
            pass(Duration.ofHours(23));
            assertTrue(watch.hasJumped(), jump.toString());
            setDate(jump.negated());
            assertFalse(watch.hasJumped(), jump.toString());
        }
    }

    @Test
    void aDateThatHasStayedForADayIsAccepted() {
        setDate(Duration.ofHours(5));
        assertTrue(watch.hasJumped());
        pass(Duration.ofHours(20));
        setDate(Duration.ofDays(365));
        assertTrue(watch.hasJumped());
        pass(Duration.ofHours(20));
        assertTrue(watch.hasJumped(), "it has jumped again since");
        pass(Duration.ofHours(5));
        assertFalse(watch.hasJumped());
        setDate(Duration.ofDays(-365));
        assertTrue(watch.hasJumped());
    }
}
