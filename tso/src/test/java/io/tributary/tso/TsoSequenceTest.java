package io.tributary.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timestamps grow, whatever the clock does. */
class TsoSequenceTest {
    private static final long AHEAD_MILLIS = 3000;
    private static final long JUMP_MILLIS = 60_000;

    @TempDir
    private Path folder;

    private final HandClock clock = new HandClock();
    private HighWaterFile file;
    private TsoSequence sequence;

    @BeforeEach
    void start() {
        file = HighWaterFile.open(folder);
        sequence = new TsoSequence(file, clock, Duration.ofMillis(AHEAD_MILLIS), Duration.ofMillis(JUMP_MILLIS));
    }

    @AfterEach
    void end() {
        file.close();
    }

    private void restart() {
        end();
        start();
    }

    private static long millis(long tso) {
        return tso >>> TsoSequence.COUNTER_BITS;
    }

    @Test
    void aTimestampIsTheClocksMillisecondsAndACounter() {
        assertEquals(clock.wallMillis() << 22, sequence.take(1));
        assertEquals((clock.wallMillis() << 22) + 1, sequence.take(5));
        assertEquals((clock.wallMillis() << 22) + 6, sequence.take(1));
        clock.passes(1);
        assertEquals(clock.wallMillis() << 22, sequence.take(1));
    }

    @Test
    void aFullMillisecondOverflowsIntoTheNext() {
        long first = sequence.take(1 << 20);
        for (int i = 1; i < 5; i++) {
            assertEquals(first + ((long) i << 20), sequence.take(1 << 20));
        }
        assertEquals(clock.wallMillis() + 1, millis(sequence.take(1)));
    }

    @Test
    void aClockThatGoesBackIsWaitedFor() {
        long before = sequence.take(1);
        clock.isSet(-3_600_000);
        assertEquals(before + 1, sequence.take(1));
        clock.passes(3_599_000);
        assertEquals(before + 2, sequence.take(1));
        clock.passes(2_000);
        assertEquals(clock.wallMillis(), millis(sequence.take(1)));
    }

    @Test
    void aRestartContinuesAfterAllHandedOutTimestamps() {
        long before = sequence.take(1000);
        clock.isSet(-3_600_000);
        restart();
        long after = sequence.take(1);
        assertTrue(after >= before + 1000, before + " then " + after);
        assertTrue(millis(after) - millis(before) <= AHEAD_MILLIS + 1);
    }

    @Test
    void theMarkIsWrittenRarely() {
        int raised = 0;
        for (int i = 0; i < 60_000; i++) {
            long mark = file.value();
            sequence.take(3);
            raised += file.value() == mark ? 0 : 1;
            assertTrue(sequence.next() <= file.value());
            clock.passes(1);
        }
        assertEquals(20, raised);
    }

    @Test
    void aSmallStepAheadIsFollowedALargeOneIsNot() {
        sequence.take(1);
        clock.isSet(JUMP_MILLIS);
        assertEquals(clock.wallMillis(), millis(sequence.take(1)));
        clock.isSet(JUMP_MILLIS + 1);
        clock.passes(7);
        assertEquals(clock.wallMillis() - JUMP_MILLIS - 1, millis(sequence.take(1)));
        assertTrue(sequence.isClockIgnored());
        clock.passes(500_000);
        assertEquals(clock.wallMillis() - JUMP_MILLIS - 1, millis(sequence.take(1)));
        clock.isSet(-JUMP_MILLIS - 1);
        assertEquals(clock.wallMillis(), millis(sequence.take(1)));
        assertFalse(sequence.isClockIgnored());
    }

    @Test
    void aPauseIsNoJump() {
        sequence.take(1);
        clock.passes(10 * JUMP_MILLIS);
        assertEquals(clock.wallMillis(), millis(sequence.take(1)));
    }

    @Test
    void aRestartAcceptsTheClock() {
        sequence.take(1);
        clock.isSet(24 * 3_600_000L);
        restart();
        assertEquals(clock.wallMillis(), millis(sequence.take(1)));
    }

    @Test
    void aClockFarFromThePresentIsRefused() {
        for (long millis : new long[] {-HandClock.START_MILLIS, 600_000_000_000L}) {
            clock.isSet(millis);
            TributaryException refusal = assertThrows(TributaryException.class, this::restart);
            assertEquals(ErrorCode.TSO_CLOCK_UNUSABLE, refusal.code());
            clock.isSet(-millis);
        }
    }

    @Test
    void neverRepeatsWhateverTheClockDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long last = -1;
        for (int i = 0; i < 5_000; i++) {
            switch (random.nextInt(50)) {
                case 0 -> clock.isSet(random.nextInt(200_000) - 100_000);
                case 1 -> restart();
                default -> clock.passes(random.nextInt(3));
            }
            int count = 1 + random.nextInt(1 << random.nextInt(20));
            long first = sequence.take(count);
            assertTrue(first > last, "seed " + seed + ", step " + i + ": " + last + " then " + first);
            last = first + count - 1;
        }
    }
}
