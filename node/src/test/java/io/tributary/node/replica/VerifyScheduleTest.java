package io.tributary.node.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of the times at which comparisons begin. */
class VerifyScheduleTest {
    private static String next(String now, Duration at, Duration every) {
        long micros = TimeUnit.SECONDS.toMicros(Instant.parse(now).getEpochSecond());
        long next = VerifySchedule.next(micros, at.toNanos() / 1_000, every.toNanos() / 1_000);
        return Instant.ofEpochSecond(TimeUnit.MICROSECONDS.toSeconds(next)).toString();
    }

    @Test
    void aDailyComparisonBeginsAtItsTimeOfDay() {
        Duration at = Duration.ofHours(2);
        Duration day = Duration.ofDays(1);
        assertEquals("2026-11-27T02:00:00Z", next("2026-11-27T01:59:59Z", at, day));
        assertEquals("2026-11-28T02:00:00Z", next("2026-11-27T02:00:00Z", at, day));
        assertEquals("2026-11-28T02:00:00Z", next("2026-11-27T23:00:00Z", at, day));
    }

    @Test
    void aShorterPeriodIsCountedFromThatTime() {
        Duration at = Duration.ofMinutes(30);
        assertEquals("2026-11-27T00:30:00Z", next("2026-11-27T00:00:00Z", at, Duration.ofHours(6)));
        assertEquals("2026-11-27T06:30:00Z", next("2026-11-27T00:30:00Z", at, Duration.ofHours(6)));
        assertEquals("2026-11-27T00:00:02Z", next("2026-11-27T00:00:00Z", Duration.ofHours(2), Duration.ofSeconds(2)));
    }
}
