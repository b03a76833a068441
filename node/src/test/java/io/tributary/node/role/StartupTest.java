package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartupTest {
    private final StopSignal stop = new StopSignal();
    private final Startup startup = new Startup(stop);
    private final List<String> states = new ArrayList<>();
    private boolean isBrokenOff;

    private void run(Startup.Step step, long pauseNanos) throws IOException {
        startup.patiently(
                step,
                () -> isBrokenOff = true,
                failure -> failure.code() == ErrorCode.BACKUP_FAILED,
                new Pauses(pauseNanos, pauseNanos));
    }

    private static TributaryException failure(ErrorCode code) {
        return new TributaryException(code, "the store is silent");
    }

    @Test
    void triesAgainUntilItSucceedsAndSaysWhy() throws IOException {
        run(
                () -> {
                    states.add(startup.state());
                    if (states.size() < 3) {
                        throw failure(ErrorCode.BACKUP_FAILED);
                    }
                },
                1);
        states.add(startup.state());
        String after = "starting: tries again after: "
                + failure(ErrorCode.BACKUP_FAILED).line();
        assertEquals(List.of("starting", after, after, "starting"), states);
    }

    @Test
    void endsWithWhatNoFurtherTryMends() {
        TributaryException refused = failure(ErrorCode.BACKUP_REFUSED);
        assertSame(refused, assertThrows(TributaryException.class, () -> run(() -> throwing(refused), 1)));
        IOException disk = new IOException("No space left on device");
        assertSame(
                disk,
                assertThrows(
                        IOException.class,
                        () -> run(
                                () -> {
                                    throw disk;
                                },
                                1)));
    }

    private void throwing(TributaryException failure) {
        states.add("");
        throw failure;
    }

    @Test
    void endsWithItsLastFailureWhenTheNodeIsToStop() {
        TributaryException silent = failure(ErrorCode.BACKUP_FAILED);
        assertSame(
                silent,
                assertThrows(
                        TributaryException.class,
                        () -> run(
                                () -> {
                                    stop.request();
                                    throw silent;
                                },
                                TimeUnit.DAYS.toNanos(1))));
        assertEquals(true, isBrokenOff);
    }
}
