package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of stages sleep here until a wake-up: an item that is missed once is never found. */
@Timeout(60)
class WakeupTest {
    private static final int SHORT_SLEEPS = 6;

    /** Reads items; sleeps until it is woken. */
    private static class Taking implements Stage {
        final Inlet<Integer> inlet;
        final AtomicInteger taken = new AtomicInteger();
        final AtomicInteger sleeps = new AtomicInteger();
        int emptyPolls; // since it last read an item

        Taking(Inlet<Integer> inlet) {
            this.inlet = inlet;
        }

        @Override
        public String name() {
            return "taking";
        }

        @Override
        public int doWork() {
            if (inlet.poll() == null) {
                emptyPolls++;
                return 0;
            }
            emptyPolls = 0;
            taken.incrementAndGet();
            return 1;
        }

        @Override
        public long restNanos() {
            sleeps.incrementAndGet();
            return Long.MAX_VALUE;
        }

        @Override
        public void close() {}
    }

    /** An item is added directly after the n-th empty poll since the previous item, by another thread that ends before the poll returns. */
    private static final class Surprised extends Taking {
        private final Link<Integer> link;
        private final int itemsBefore;
        private final int poll;
        private final CountDownLatch end = new CountDownLatch(1);
        private volatile boolean sleptBefore;

        Surprised(Link<Integer> link, int itemsBefore, int poll) {
            super(link);
            this.link = link;
            this.itemsBefore = itemsBefore;
            this.poll = poll;
        }

        @Override
        public int doWork() {
            int done = super.doWork();
            if (taken.get() > itemsBefore) {
                end.countDown();
            } else if (taken.get() == itemsBefore && emptyPolls == poll) {
                Thread other = new Thread(() -> link.put(0));
                other.start();
                join(other);
            }
            return done;
        }

        @Override
        public long restNanos() {
            if (taken.get() == itemsBefore && emptyPolls < poll) {
                sleptBefore = true;
                end.countDown();
            }
            return super.restNanos();
        }

        private static void join(Thread other) {
            try {
                other.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void anItemAfterTheLastEmptyPollIsSeen() throws InterruptedException {
        assertTrue(pollsBeforeSleep(0) > StageThread.POLLS);
    }

    @Test
    void anItemAfterTheLastEmptyPollOfABusyThreadIsSeen() throws InterruptedException {
        assertTrue(pollsBeforeSleep(SHORT_SLEEPS) > StageThread.POLLS);
    }

    /** Checks for each poll before a thread sleeps that an item added after it is found. Returns the number of polls. */
    private static int pollsBeforeSleep(int itemsBefore) throws InterruptedException {
        for (int poll = 1; ; poll++) {
            Link<Integer> link = new Link<>("link", 4, Clock.SYSTEM);
            Surprised stage = new Surprised(link, itemsBefore, poll);
            try (StageRunner runner = new StageRunner((failed, cause) -> stage.end.countDown())) {
                runner.onOwnThread(stage).start();
                for (int item = 1; item <= itemsBefore; item++) {
                    awaitSleep(stage, item);
                    link.put(item);
                }
                assertTrue(stage.end.await(10, TimeUnit.SECONDS), "missed the item after poll " + poll);
                if (stage.sleptBefore) {
                    return poll - 1;
                }
            }
        }
    }

    private static void awaitSleep(Taking stage, int sleeps) {
        while (stage.sleeps.get() < sleeps) {
            Thread.onSpinWait();
        }
    }

    @Test
    void noItemIsMissedHoweverLongItTakesToArrive() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Link<Integer> link = new Link<>("link", 4, Clock.SYSTEM);
        Taking stage = new Taking(link);
        try (StageRunner runner = new StageRunner((failed, cause) -> {})) {
            runner.onOwnThread(stage).start();
            for (int item = 1; item <= 5_000; item++) {
                link.put(item);
                awaitTaken(stage, item, "seed " + seed);
                spin(random.nextInt(60_000));
            }
        }
    }

    /** Passes items on, with room for one item, so that each thread sleeps without items and without room. */
    private static final class Passing extends Taking {
        private final Link<Integer> out;

        Passing(Link<Integer> in, Link<Integer> out) {
            super(in);
            this.out = out;
        }

        @Override
        public int doWork() {
            int done = 0;
            if (out.hasRoom()) {
                Integer next = inlet.poll();
                if (next != null) {
                    out.put(next);
                    done++;
                }
            }
            return done;
        }
    }

    @Test
    void neitherItemsNorRoomAreMissedInAChain() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Link<Integer> first = new Link<>("first", 1, Clock.SYSTEM);
        Link<Integer> second = new Link<>("second", 1, Clock.SYSTEM);
        Link<Integer> third = new Link<>("third", 1, Clock.SYSTEM);
        try (StageRunner runner = new StageRunner((failed, cause) -> {})) {
            runner.onOwnThread(new Passing(first, second))
                    .onOwnThread(new Passing(second, third))
                    .start();
            int put = 0;
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            for (int taken = 0; taken < 3_000; ) {
                if (put < 3_000 && first.hasRoom() && random.nextBoolean()) {
                    first.put(++put);
                }
                Integer item = random.nextBoolean() ? third.poll() : null;
                if (item != null) {
                    assertEquals(++taken, item);
                    spin(random.nextInt(100_000));
                }
                assertTrue(System.nanoTime() < until, "stopped after " + taken + ", seed " + seed);
            }
        }
    }

    private static void awaitTaken(Taking stage, int items, String seed) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (stage.taken.get() < items) {
            Thread.onSpinWait();
            assertTrue(System.nanoTime() < until, "missed item " + items + ", " + seed);
        }
    }

    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }
}
