package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads of random sizes, released in random order, against copies. */
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
    void givesBackWhatWasWrittenAndAllMemory(int segment) {
        for (long seed = 0; seed < 12; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            StoreSetup setup = StoreSetup.in(directory)
                    .segment(segment)
                    .memory((long) segment * (1 + random.nextInt(20)))
                    .transaction(random.nextInt(40_000))
                    .event(random.nextInt(10_000));
            try (PayloadStore store = new PayloadStore(setup.config(), new Metrics())) {
                List<Written> held = new ArrayList<>();
                try (PayloadAppender appender = store.appender("seed " + seed)) {
                    for (int i = 0; i < 300; i++) {
                        held.add(Written.write(appender, random, sizes(random)));
                        while (held.size() > random.nextInt(40)) {
                            Written written = held.remove(random.nextInt(held.size()));
                            written.check();
                            written.payload().release();
                        }
                        assertTrue(store.memoryInUse() <= setup.memory());
                    }
                }
                held.forEach(Written::check);
                held.forEach(written -> written.payload().release());
                assertEquals(0, store.memoryInUse(), "seed " + seed);
                assertEquals(0, store.spilled(), "seed " + seed);
            }
        }
    }

    @Test
    void letsOtherThreadsReadAndRelease() throws InterruptedException {
        StoreSetup setup = StoreSetup.in(directory).event(15_000).disk(4_000_000);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (PayloadStore store = new PayloadStore(setup.config(), new Metrics())) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
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
            assertNull(failure.get());
            assertEquals(0, store.memoryInUse());
            assertEquals(0, store.spilled());
        }
    }

    private static void write(
            PayloadStore store, int seed, Link<Written> link, AtomicBoolean ended, AtomicReference<Throwable> failure) {
        SplittableRandom random = new SplittableRandom(seed);
        try (PayloadAppender appender = store.appender("s" + seed)) {
            for (int i = 0; i < 1500 && failure.get() == null; i++) {
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
