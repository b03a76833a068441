package io.tributary.apply.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.keys.WriteSets;
import io.tributary.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which batches are passed to sessions. */
class ApplyScheduleTest {
    private static final Sid SID = Sid.parse("00000000-0000-0000-0000-000000000001");
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int BATCHES = 20_000;

    private final ScheduleFigures figures = new ScheduleFigures();
    private final KeyWriters keys = new KeyWriters();

    private ApplySchedule schedule(int sessions, long bytes, boolean isStrict) {
        return new ApplySchedule(new ApplySchedule.Limits(sessions, bytes, isStrict), keys, figures, Clock.SYSTEM);
    }

    private static ApplyBatch batch(long number, int bytes) {
        ReplayTransaction transaction = new ReplayTransaction(new Gtid(SID, number), 0, 0, 0);
        transaction.add(new byte[bytes]);
        return new ApplyBatch(number, number - 1, List.of(transaction));
    }

    private static WriteSets keys(long... all) {
        WriteSets sets = new WriteSets();
        sets.begin();
        for (long key : all) {
            sets.add(key);
        }
        sets.end(true);
        return sets;
    }

    private static long changed(int row) {
        return (row + 1L) << 8 | WriteSets.HAS_SHARED;
    }

    private static long needed(int row) {
        return (row + 1L) << 8 | WriteSets.SHARED;
    }

    /** A batch with its rows, and when it began and ended. */
    private static final class Run {
        private final List<Integer> changed = new ArrayList<>();
        private final List<Integer> needed = new ArrayList<>();
        private volatile long begun;
        private volatile long ended;

        boolean dependsOn(Run earlier) {
            return changed.stream().anyMatch(row -> earlier.changed.contains(row) || earlier.needed.contains(row))
                    || needed.stream().anyMatch(earlier.changed::contains);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchBeginsAfterAllOnWhichItDepends(boolean isStrict) throws Exception {
        int sessions = 8;
        ApplySchedule schedule = schedule(sessions, 1 << 20, isStrict);
        List<Run> runs = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < BATCHES; i++) {
            Run run = new Run();
            for (int k = random.nextInt(3); k >= 0; k--) {
                (random.nextInt(4) == 0 ? run.needed : run.changed).add(random.nextInt(200));
            }
            runs.add(run);
        }
        AtomicLong time = new AtomicLong();
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            int session = i;
            workers.add(CompletableFuture.runAsync(() -> {
                for (ApplyBatch next = schedule.take(session); next != null; next = schedule.take(session)) {
                    Run run = runs.get((int) next.number() - 1);
                    run.begun = time.incrementAndGet();
                    run.ended = time.incrementAndGet();
                    schedule.finished(next);
                }
            }));
        }
        for (int i = 0; i < BATCHES; i++) {
            Run run = runs.get(i);
            List<Long> all = new ArrayList<>();
            run.changed.forEach(row -> all.add(changed(row)));
            run.needed.forEach(row -> all.add(needed(row)));
            schedule.submit(
                    batch(i + 1, 10),
                    keys(all.stream().mapToLong(Long::longValue).toArray()));
        }
        schedule.drain();
        schedule.close();
        for (CompletableFuture<Void> worker : workers) {
            worker.join();
        }
        for (int i = 0; i < BATCHES; i++) {
            for (int j = Math.max(0, i - 600); j < i; j++) { // more than can be unfinished
                if (runs.get(i).dependsOn(runs.get(j))) {
                    assertTrue(runs.get(j).ended < runs.get(i).begun, j + " and " + i);
                }
            }
        }
        assertEquals(BATCHES, figures.transactions());
        assertEquals(GtidSet.EMPTY.toBuilder().addRange(SID, 1, BATCHES).build(), schedule.takeApplied());
        assertEquals(0, keys.size());
    }

    /** Slow transactions in all sessions but one do not delay others. */
    @Test
    void aFreeSessionTakesTheOldestBatchThatCanStart() {
        ApplySchedule schedule = schedule(3, 1 << 20, false);
        schedule.submit(batch(1, 10), keys(changed(1)));
        schedule.submit(batch(2, 10), keys(changed(2)));
        assertEquals(1, schedule.take(0).number());
        assertEquals(2, schedule.take(1).number());
        schedule.submit(batch(3, 10), keys(changed(1)));
        schedule.submit(batch(4, 10), keys(changed(3)));
        schedule.submit(batch(5, 10), keys(changed(4)));
        assertEquals(4, schedule.take(2).number());
        assertEquals(5, schedule.take(2).number());
    }

    @Test
    void whatWasAppliedIsKnownUpToTheOldestUnfinishedBatch() {
        ApplySchedule schedule = schedule(2, 1 << 20, false);
        schedule.submit(batch(1, 10), keys(changed(1)));
        schedule.submit(batch(2, 10), keys(changed(2)));
        ApplyBatch first = schedule.take(0);
        ApplyBatch second = schedule.take(1);
        schedule.finished(second);
        assertEquals(GtidSet.EMPTY, schedule.takeApplied());
        assertEquals(1, schedule.oldest().gtid().gno());
        schedule.finished(first);
        assertEquals(GtidSet.parse(SID + ":1-2"), schedule.takeApplied());
        assertNull(schedule.oldest());
    }

    @Test
    void theReaderWaitsForRoom() throws Exception {
        ApplySchedule schedule = schedule(1, 1000, false);
        schedule.submit(batch(1, 2000), keys(changed(1))); // larger than the limit, and alone
        CompletableFuture<Void> second =
                CompletableFuture.runAsync(() -> schedule.submit(batch(2, 10), keys(changed(2))));
        ApplyBatch taken = schedule.take(0);
        assertTrue(!second.isDone());
        schedule.finished(taken);
        second.join();
        assertEquals(2, schedule.take(0).number());
    }

    @Test
    void anErrorOfASessionEndsAll() throws Exception {
        ApplySchedule schedule = schedule(2, 1 << 20, false);
        CompletableFuture<ApplyBatch> waiting = CompletableFuture.supplyAsync(() -> schedule.take(0));
        schedule.submit(batch(1, 10), keys(changed(1)));
        Await.until("the batch to be taken", LIMIT, waiting::isDone);
        schedule.fail(new IllegalStateException("lost"));
        assertNull(schedule.take(1));
        assertEquals(
                "lost",
                assertThrows(IllegalStateException.class, schedule::drain).getMessage());
        assertThrows(IllegalStateException.class, () -> schedule.submit(batch(2, 10), keys(changed(2))));
    }

    @Test
    void nothingIsAcceptedAfterTheEnd() {
        ApplySchedule schedule = schedule(1, 1 << 20, true);
        schedule.close();
        assertNull(schedule.take(0));
        assertThrows(CancellationException.class, () -> schedule.submit(batch(1, 10), keys()));
    }
}
