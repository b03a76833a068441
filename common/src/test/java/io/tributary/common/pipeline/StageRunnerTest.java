package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The runner that owns all threads. */
@Timeout(30)
class StageRunnerTest {
    /** A stage that counts its calls, and fails at a chosen one. */
    private static final class Counting implements Stage {
        private final String name;
        private final int failAt;
        private final CountDownLatch calls = new CountDownLatch(1000);
        private final AtomicInteger closed = new AtomicInteger();
        private int done;

        Counting(String name, int failAt) {
            this.name = name;
            this.failAt = failAt;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int doWork() {
            if (++done == failAt) {
                throw new IllegalStateException(name + " fails");
            }
            calls.countDown();
            return 1;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @Test
    void runsStagesUntilItIsClosedAndClosesEachOnce() throws InterruptedException {
        Counting own = new Counting("own", -1);
        Counting first = new Counting("first", -1);
        Counting second = new Counting("second", -1);
        try (StageRunner runner = new StageRunner((stage, cause) -> {})) {
            runner.onOwnThread(own).onOneThread(List.of(first, second)).start();
            for (Counting stage : List.of(own, first, second)) {
                assertTrue(stage.calls.await(10, TimeUnit.SECONDS));
            }
        }
        assertEquals(1, own.closed.get());
        assertEquals(1, first.closed.get());
        assertEquals(1, second.closed.get());
    }

    @Test
    void aStageStartsAndAnotherEndsWhileTheOthersRun() throws InterruptedException {
        Counting stays = new Counting("stays", -1);
        Counting goes = new Counting("goes", -1);
        Counting comes = new Counting("comes", -1);
        try (StageRunner runner = new StageRunner((stage, cause) -> {})) {
            runner.onOwnThread(stays).onOwnThread(goes).start();
            runner.startLater(comes);
            assertTrue(comes.calls.await(10, TimeUnit.SECONDS));
            runner.end(goes);
            assertEquals(1, goes.closed.get());
            assertEquals(0, stays.closed.get() + comes.closed.get());
            assertTrue(stays.calls.await(10, TimeUnit.SECONDS));
        }
        assertEquals(1, goes.closed.get());
        assertEquals(1, stays.closed.get());
        assertEquals(1, comes.closed.get());
    }

    @Test
    void aStageLeavesItsThreadWhileTheOthersOnItContinue() throws InterruptedException {
        Counting goes = new Counting("goes", -1);
        Counting stays = new Counting("stays", -1);
        Counting other = new Counting("other", -1);
        try (StageRunner runner = new StageRunner((stage, cause) -> {})) {
            runner.onOneThread(List.of(goes, stays)).onOwnThread(other).start();
            runner.end(goes);
            assertEquals(1, goes.closed.get());
            int calls = goes.done;
            assertTrue(stays.calls.await(10, TimeUnit.SECONDS));
            assertEquals(calls, goes.done);
            assertEquals(0, stays.closed.get());
            runner.end(stays);
            assertEquals(1, stays.closed.get());
            assertTrue(other.calls.await(10, TimeUnit.SECONDS));
        }
        assertEquals(1, goes.closed.get());
        assertEquals(1, stays.closed.get());
    }

    @Test
    void endingAStageDoesNotWaitForAThreadThatHasFailed() throws Exception {
        Counting good = new Counting("good", -1);
        CompletableFuture<Stage> failed = new CompletableFuture<>();
        try (StageRunner runner = new StageRunner((stage, cause) -> failed.complete(stage))) {
            runner.onOneThread(List.of(good, new Counting("bad", 500))).start();
            failed.get(10, TimeUnit.SECONDS);
            runner.end(good);
            assertEquals(1, good.closed.get());
        }
        assertEquals(1, good.closed.get());
    }

    @Test
    void endingAStageThatCannotBeClosedDoesNotWaitForever() {
        CompletableFuture<Throwable> reported = new CompletableFuture<>();
        AssertionError cause = new AssertionError("cannot be closed");
        Stage broken = new Stage() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public int doWork() {
                return 0;
            }

            @Override
            public void close() {
                throw cause;
            }
        };
        Counting other = new Counting("other", -1);
        try (StageRunner runner = new StageRunner((stage, failure) -> reported.complete(failure))) {
            runner.onOneThread(List.of(broken, other)).start();
            runner.end(broken);
            assertSame(cause, reported.join());
        }
        assertEquals(1, other.closed.get());
    }

    @Test
    void aStageThatStartsLaterEndsAllWhenItFails() throws Exception {
        CompletableFuture<Stage> failed = new CompletableFuture<>();
        Counting bad = new Counting("bad", 500);
        try (StageRunner runner = new StageRunner((stage, cause) -> failed.complete(stage))) {
            runner.onOwnThread(new Counting("good", -1)).start();
            runner.startLater(bad);
            assertSame(bad, failed.get(10, TimeUnit.SECONDS));
            Counting late = new Counting("late", -1);
            assertThrows(IllegalStateException.class, () -> runner.startLater(late));
            assertEquals(1, late.closed.get());
        }
    }

    @Test
    void theFirstFailureIsReportedOnceAndEndsAllStages() throws Exception {
        Counting good = new Counting("good", -1);
        Counting bad = new Counting("bad", 500);
        Counting worse = new Counting("worse", 500);
        AtomicInteger reported = new AtomicInteger();
        CompletableFuture<Stage> failed = new CompletableFuture<>();
        try (StageRunner runner = new StageRunner((stage, cause) -> {
            reported.incrementAndGet();
            failed.complete(stage);
        })) {
            runner.onOwnThread(good).onOneThread(List.of(bad, worse)).start();
            assertSame(bad, failed.get(10, TimeUnit.SECONDS));
        }
        assertEquals(1, reported.get());
        assertEquals(1, good.closed.get());
        assertEquals(1, bad.closed.get());
    }

    /** A stage that never has work, and rests until it is woken. */
    private static final class Resting implements Stage {
        private final AtomicInteger calls = new AtomicInteger();
        private volatile Thread asleep;

        @Override
        public String name() {
            return "resting";
        }

        @Override
        public int doWork() {
            asleep = null;
            calls.incrementAndGet();
            return 0;
        }

        @Override
        public long restNanos() {
            asleep = Thread.currentThread();
            return Long.MAX_VALUE;
        }

        void awaitRest() {
            while (asleep == null || asleep.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {}
    }

    @Test
    void aStageThatRestsIsNotCalledUntilItIsWoken() throws InterruptedException {
        Resting resting = new Resting();
        Counting other = new Counting("other", -1);
        try (StageRunner runner = new StageRunner((stage, cause) -> {})) {
            runner.onOwnThread(resting).start();
            for (int i = 0; i < 3; i++) {
                resting.awaitRest();
                int calls = resting.calls.get();
                LockSupport.unpark(resting.asleep);
                while (resting.calls.get() == calls) {
                    Thread.onSpinWait();
                }
            }
            resting.awaitRest();
            int calls = resting.calls.get();
            runner.startLater(other);
            assertTrue(other.calls.await(10, TimeUnit.SECONDS));
            Counting slow = new Counting("slow", -1);
            runner.startLater(slow);
            assertTrue(slow.calls.await(10, TimeUnit.SECONDS));
            assertEquals(calls, resting.calls.get());
        }
    }

    @Test
    void aFailureWakesAndEndsAStageThatRests() throws InterruptedException {
        Resting resting = new Resting();
        CountDownLatch closed = new CountDownLatch(1);
        Stage watched = new Stage() {
            @Override
            public String name() {
                return resting.name();
            }

            @Override
            public int doWork() {
                return resting.doWork();
            }

            @Override
            public long restNanos() {
                return resting.restNanos();
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
        try (StageRunner runner = new StageRunner((stage, cause) -> {})) {
            runner.onOwnThread(watched).start();
            resting.awaitRest();
            runner.startLater(new Counting("bad", 3));
            assertTrue(closed.await(10, TimeUnit.SECONDS));
        }
    }
}
