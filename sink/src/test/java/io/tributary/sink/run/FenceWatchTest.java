package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.sink.kafka.ProgressTopic;
import io.tributary.testkit.ManualClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FenceWatchTest {
    private final ManualClock clock = new ManualClock();
    private final FenceWatch fence = new FenceWatch(clock);

    private void fenced() {
        fence.ended(new TributaryException(ErrorCode.SINK_FENCED, "fenced"));
    }

    private void check(long offset) {
        fence.check(Optional.of(new ProgressTopic.Stored(null, offset)));
    }

    private void refused(long offset) {
        assertEquals(
                ErrorCode.SINK_FENCED,
                assertThrows(TributaryException.class, () -> check(offset)).code());
    }

    @Test
    void onlyAFencedSinkWaits() {
        assertFalse(fence.isFenced());
        fence.ended(new TributaryException(ErrorCode.SINK_UNREACHABLE, "away"));
        assertFalse(fence.isFenced());
        fenced();
        assertTrue(fence.isFenced());
    }

    @Test
    void waitsAsLongAsTheOtherSinkStoresItsPlace() {
        fenced();
        for (int i = 0; i < 100; i++) {
            refused(i);
            fenced(); // its own error changes nothing
            clock.pass(Duration.ofSeconds(59));
        }
    }

    @Test
    void continuesAfterSixtySecondsWithoutAPlace() {
        fenced();
        refused(7);
        clock.pass(Duration.ofSeconds(59));
        refused(7);
        clock.pass(Duration.ofSeconds(2));
        check(7);
        assertFalse(fence.isFenced());
    }
}
