package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SupervisorTest {
    private final StopSignal stop = new StopSignal();
    private final Supervisor supervisor = new Supervisor(stop, new Backoff(1000, 1000), () -> 0);
    private final List<String> seen = new ArrayList<>();

    private AutoCloseable pipeline(int number) {
        seen.add("open " + number);
        return () -> seen.add("close " + number);
    }

    @Test
    void buildsAgainAfterATemporaryFailure() throws Exception {
        int[] starts = {0};
        supervisor.run(failure -> {
            AutoCloseable pipeline = pipeline(++starts[0]);
            if (starts[0] < 3) {
                failure.failed(new TributaryException(ErrorCode.SHARD_UNREACHABLE, "shard s1: no answer"));
            } else {
                stop.request();
            }
            return pipeline;
        });
        assertEquals(List.of("open 1", "close 1", "open 2", "close 2", "open 3", "close 3"), seen);
    }

    @Test
    void doesNotPauseForRenewedStreamsAfterARunWithProgress() throws Exception {
        List<String> states = states(TimeUnit.HOURS.toNanos(1), ErrorCode.STREAM_RENEWED, 7, 8, 9, 10);
        assertEquals(List.of("starting", "starting again", "starting again", "starting again"), states);
    }

    @Test
    void pausesForRepeatedlyRenewedStreamsWithoutProgress() throws Exception {
        long pause = TimeUnit.MILLISECONDS.toNanos(1);
        long since = Clock.SYSTEM.nanoTime();
        states(pause, ErrorCode.STREAM_RENEWED, 7, 7, 7, 7);
        assertTrue(Clock.SYSTEM.nanoTime() - since >= 3 * pause);
    }

    /** For example files from a backup on shards that know a newer epoch: an immediate retry would keep a core busy. */
    @Test
    void withoutACoordinatorItPausesAfterAnEpochThatIsOver() throws Exception {
        Backoff pauses = new Backoff(1, TimeUnit.HOURS.toNanos(1));
        int[] starts = {0};
        Supervisor over = new Supervisor(stop, pauses, () -> 7, false);
        over.run(failure -> {
            if (++starts[0] == 3) {
                stop.request();
            }
            failure.failed(new TributaryException(ErrorCode.EPOCH_OVER, "again"));
            return () -> seen.add(over.state());
        });
        assertTrue(over.state().startsWith("stopping"));
        assertTrue(pauses.nextNanos(false) >= 4, "there were two pauses");
    }

    @Test
    void thePauseIsShortAgainAfterARunWithProgress() throws Exception {
        long first = TimeUnit.MILLISECONDS.toNanos(1);
        Backoff pauses = new Backoff(first, TimeUnit.HOURS.toNanos(1));
        for (int failure = 0; failure < 40; failure++) {
            pauses.nextNanos(false); // the next one would be an hour
        }
        assertEquals(
                List.of("starting", "starting again", "starting again"),
                states(pauses, ErrorCode.SHARD_UNREACHABLE, 7, 8, 9));
    }

    private List<String> states(long pause, ErrorCode code, long... durable) throws Exception {
        return states(new Backoff(pause, pause), code, durable);
    }

    /**
     * The states at each start, up to the colon or " after".
     *
     * @param durable before the first run, after the first, and so on; the run after the last one ends normally
     */
    private List<String> states(Backoff pauses, ErrorCode code, long... durable) throws Exception {
        int[] starts = {0};
        Supervisor over = new Supervisor(stop, pauses, () -> durable[starts[0]]);
        over.run(failure -> {
            seen.add(over.state().replaceFirst(" after.*", ""));
            if (starts[0] == durable.length - 1) {
                stop.request();
            } else {
                starts[0]++;
                failure.failed(new TributaryException(code, "again"));
            }
            return () -> {};
        });
        return seen;
    }

    @Test
    void endsWithAFailureThatNeedsAnOperator() {
        TributaryException refused = new TributaryException(ErrorCode.SHARD_LOGIN_REFUSED, "shard s1: wrong password");
        TributaryException thrown = assertThrows(
                TributaryException.class,
                () -> supervisor.run(failure -> {
                    failure.failed(refused);
                    return pipeline(1);
                }));
        assertSame(refused, thrown);
        assertEquals(List.of("open 1", "close 1"), seen);
        assertTrue(supervisor.state().startsWith("stopped: SHARD_LOGIN_REFUSED: shard s1: wrong password | "));
        assertFalse(supervisor.isRunning());
    }

    /** Otherwise the thread would end, and the process would stay leader without doing anything. */
    @Test
    void anyThrowableEndsTheNodeWithALine() {
        TributaryException thrown = assertThrows(
                TributaryException.class,
                () -> supervisor.run(failure -> {
                    throw new NoClassDefFoundError("io/tributary/Gone");
                }));
        assertEquals(ErrorCode.INTERNAL, thrown.code());
        assertEquals("stopped: " + thrown.line(), supervisor.state());
        TributaryException between = assertThrows(
                TributaryException.class,
                () -> supervisor.run(failure -> pipeline(1), () -> {
                    throw new StackOverflowError();
                }));
        assertEquals(ErrorCode.INTERNAL, between.code());
    }

    @Test
    void handlesAFailureToBuildLikeOneOfAStage() {
        TributaryException thrown = assertThrows(
                TributaryException.class,
                () -> supervisor.run(failure -> {
                    throw new IOException("No space left on device");
                }));
        assertEquals(ErrorCode.DISK_FULL, thrown.code());
    }

    @Test
    void reportsWhetherAPipelineRuns() throws Exception {
        supervisor.run(failure -> {
            assertFalse(supervisor.isRunning());
            stop.request();
            return () -> seen.add(supervisor.state() + " " + supervisor.isRunning());
        });
        assertEquals(List.of("running true"), seen);
        assertEquals("stopping", supervisor.state());
        assertFalse(supervisor.isRunning());
    }

    @Test
    void showsWhyItStartsAgainUntilItRuns() throws Exception {
        supervisor.run(failure -> {
            seen.add(supervisor.state());
            if (seen.size() < 3) {
                throw new TributaryException(ErrorCode.SHARD_UNREACHABLE, "shard s1: no answer");
            }
            stop.request();
            return () -> {};
        });
        assertEquals("starting", seen.get(0));
        for (String again : seen.subList(1, 3)) {
            assertTrue(again.startsWith("starting again after: SHARD_UNREACHABLE: shard s1: no answer | "), again);
        }
    }

    @Test
    void startsNothingAfterTheStopSignal() throws Exception {
        stop.request();
        supervisor.run(failure -> pipeline(1));
        assertEquals(List.of(), seen);
    }
}
