package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.StageRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads of random sizes, released in random order, compared with copies. */
class PayloadStoreRandomTest {
    @TempDir
    Path directory;

    private static int[] sizes(SplittableRandom random) {
        int most = random.nextInt(20) == 0 ? 20_000 : 400;
        return random.ints(random.nextInt(random.nextInt(10) == 0 ? 60 : 6), 19, most)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 1024, 4096, 65536})
    void returnsTheWrittenBytesAndFreesAllMemory(int segment) {
        for (StoreMode mode : StoreMode.values()) {
            for (long seed = 0; seed < 8; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                StoreSetup setup = StoreSetup.in(directory)
                        .segment(segment)
                        .memory((long) segment * (3 + random.nextInt(20)))
                        .transaction(random.nextInt(40_000))
                        .event(random.nextInt(10_000))
                        .mode(mode);
                run(setup, random, mode + ", segment " + segment + ", seed " + seed);
            }
        }
    }

    /** Writes, reads, keeps views open and releases in random order; nothing is held at the end. */
    private static void run(StoreSetup setup, SplittableRandom random, String place) {
        try (PayloadStore store = new PayloadStore(setup.config(), new Metrics())) {
            List<Written> held = new ArrayList<>();
            try (PayloadAppender appender = store.appender("random")) {
                for (int i = 0; i < 250; i++) {
                    held.add(Written.write(appender, random, sizes(random)));
                    if (random.nextInt(10) == 0) {
                        Written.append(appender, random, 19 + random.nextInt(3000));
                        appender.discard();
                    }
                    if (random.nextInt(8) == 0) {
                        held.get(random.nextInt(held.size())).check(); // some keep a view from now on
                    }
                    while (held.size() > random.nextInt(40)) {
                        Written written = held.remove(random.nextInt(held.size()));
                        written.check();
                        written.payload().release();
                    }
                }
            }
            held.forEach(Written::check);
            held.forEach(written -> written.payload().release());
            assertEquals(0, store.segmentsInUse(), place);
            assertEquals(0, store.spilled(), place);
            assertTrue(store.diskInUse() <= setup.disk() / 16 / 8 + setup.segment(), place);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(place, e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void letsOtherThreadsReadReleaseAndMove(boolean withMover) throws InterruptedException {
        StoreSetup setup =
                StoreSetup.in(directory).event(15_000).disk(4_000_000).memory(160 << 10);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (PayloadStore store = new PayloadStore(setup.config(), new Metrics())) {
            StageRunner mover = new StageRunner((stage, cause) -> failure.set(cause));
            if (withMover) {
                mover.onOwnThread(store.mover().orElseThrow());
                mover.start();
            }
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Link<Written> link = new Link<>("test", 64, Clock.SYSTEM);
                AtomicBoolean ended = new AtomicBoolean();
                int seed = i;
                threads.add(new Thread(() -> write(store, seed, link, ended, failure)));
                threads.add(new Thread(() -> read(link, ended, failure)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            mover.close();
            assertNull(failure.get(), () -> String.valueOf(failure.get()));
            assertEquals(0, store.segmentsInUse());
            assertEquals(0, store.spilled());
            assertTrue(store.readBytes() > 0, "some was read back from disk");
        }
    }

    private static void write(
            PayloadStore store, int seed, Link<Written> link, AtomicBoolean ended, AtomicReference<Throwable> failure) {
        SplittableRandom random = new SplittableRandom(seed);
        try (PayloadAppender appender = store.appender("s" + seed)) {
            for (int i = 0; i < 1200 && failure.get() == null; i++) {
                while ((!link.hasRoom() || !appender.hasRoom()) && failure.get() == null) {
                    Thread.yield();
                }
                link.put(Written.write(appender, random, sizes(random)));
            }
        } catch (Throwable cause) {
            failure.set(cause);
        } finally {
            ended.set(true);
        }
    }

    private static void read(Link<Written> link, AtomicBoolean ended, AtomicReference<Throwable> failure) {
        try {
            while (true) {
                boolean last = ended.get();
                Written written = link.poll();
                if (written != null) {
                    written.check();
                    written.payload().release();
                } else if (last) {
                    return;
                } else {
                    Thread.yield();
                }
            }
        } catch (Throwable cause) {
            failure.set(cause);
        }
    }
}
