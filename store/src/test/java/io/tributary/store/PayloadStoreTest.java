package io.tributary.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Payload;
import io.tributary.testkit.alert.AlertCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The behaviour of the store with single payloads. */
class PayloadStoreTest {
    private final SplittableRandom random = new SplittableRandom(1);

    @TempDir
    Path directory;

    private StoreSetup setup() {
        return StoreSetup.in(directory);
    }

    @Test
    void keepsASmallTransactionContiguousAndNeverOpensTheDisk() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            for (int i = 0; i < 500; i++) {
                Written written = Written.write(appender, random, 19, 40, 100, 300);
                assertNotNull(written.payload().contiguousView());
                written.check();
                written.payload().release();
            }
            assertFalse(store.hasSpilled());
            assertEquals(4 << 10, store.segmentsInUse());
        }
    }

    @Test
    void movesASmallTransactionToTheNextSegmentWhenItDoesNotFit() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Written first = Written.write(appender, random, 1000, 1000, 1000);
            Written moved = Written.write(appender, random, 600, 400, 600);
            assertNotNull(moved.payload().contiguousView());
            first.check();
            moved.check();
            first.payload().release();
            assertEquals(4 << 10, store.segmentsInUse());
            moved.payload().release();
        }
    }

    @Test
    void continuesInTheNextSegmentWhenTheTransactionIsNotSmall() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Written written = Written.write(appender, random, 1000, 1000, 1000, 1000, 1000, 3000, 9000, 19, 20);
            assertNull(written.payload().contiguousView());
            written.check();
            assertFalse(store.hasSpilled());
            written.payload().release();
        }
    }

    @Test
    void putsALargeEventOnDiskAndTheNextOnesInMemory() {
        try (PayloadStore store = new PayloadStore(setup().event(2000).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Written written = Written.write(appender, random, 100, 2001, 5000, 100, 2001, 19);
            assertEquals(8192, store.spilled());
            written.check();
            written.payload().release();
            assertEquals(0, store.spilled());
        }
    }

    @Test
    void passesATransactionTenTimesTheMemory() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            int[] sizes = random.ints(1400, 19, 900).toArray();
            Written written = Written.write(appender, random, sizes);
            assertTrue(written.payload().length() > 10 * (40 << 10));
            assertTrue(store.segmentsInUse() <= 64 << 10);
            written.check();
            written.payload().release();
            Written small = Written.write(appender, random, 50);
            assertNotNull(small.payload().contiguousView(), "memory is free again");
            small.payload().release();
        }
    }

    @Test
    void sendsALargeTransactionToDiskWhileThereIsMemory() {
        try (PayloadStore store = new PayloadStore(
                        setup().transaction(10_000).memory(1 << 20).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Written written =
                    Written.write(appender, random, random.ints(100, 500, 501).toArray());
            assertEquals(36_000, store.spilled());
            written.check();
            written.payload().release();
        }
    }

    @Test
    void makesEmptyPayloads() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Payload empty = appender.finish();
            assertEquals(0, empty.length());
            assertEquals(0, empty.contiguousView().remaining());
            try (Payload.Cursor cursor = empty.open()) {
                assertNull(cursor.next());
            }
            empty.release();
        }
    }

    @Test
    void refusesASecondReleaseAndReadingAfterTheFirst() {
        try (PayloadStore store = new PayloadStore(setup().event(500).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            for (int size : new int[] {100, 501}) {
                Payload payload = Written.write(appender, random, size).payload();
                payload.release();
                assertCode(ErrorCode.INTERNAL, payload::release);
                assertCode(ErrorCode.INTERNAL, payload::contiguousView);
                assertCode(ErrorCode.INTERNAL, payload::open);
            }
        }
    }

    @Test
    void dropsDiscardedPayload() {
        try (PayloadStore store = new PayloadStore(setup().event(2000).config(), new Metrics())) {
            PayloadAppender appender = store.appender("s1");
            Written kept = Written.write(appender, random, 100, 200);
            Written.append(appender, random, 3000);
            Written.append(appender, random, 1000);
            Written.append(appender, random, 1500);
            Written.append(appender, random, 1500);
            Written.append(appender, random, 2100);
            appender.discard();
            assertEquals(0, appender.length());
            assertEquals(0, appender.events());
            Written next = Written.write(appender, random, 300);
            kept.check();
            next.check();
            kept.payload().release();
            next.payload().release();
            appender.close();
            assertEquals(0, store.segmentsInUse());
            assertEquals(0, store.spilled());
        }
    }

    @Test
    void stopsReadingWhenTheDiskIsAtItsLimitAndContinuesAfterRelease() throws IOException {
        Metrics metrics = new Metrics();
        try (PayloadStore store = new PayloadStore(
                        setup().mode(StoreMode.DISK).disk(100_000).config(), metrics);
                PayloadAppender appender = store.appender("s1")) {
            AlertCheck alert =
                    new AlertCheck(directory.resolve("alert")).shows(metrics.scrape(), Duration.ofMinutes(5));
            List<Written> held = new ArrayList<>();
            while (appender.hasRoom()) {
                held.add(Written.write(appender, random, 1000, 2000));
            }
            assertTrue(held.size() >= 28 && held.size() <= 32, held.size() + " payloads of 3000 bytes");
            assertEquals(1, store.waiting());
            alert.fault().shows(metrics.scrape(), Duration.ofMinutes(5)).assertFires("TributaryStoreFull");
            assertTrue(store.state().contains("store.disk.max"), store.state());
            assertTrue(store.state().contains("shard s1 is paused"), store.state());
            for (Written written : held) {
                written.check();
                written.payload().release();
            }
            assertTrue(appender.hasRoom());
            assertEquals(0, store.waiting());
            assertEquals(0, store.spilled());
        }
    }

    @Test
    void keepsTheLastOfTheDiskForShardsThatHoldLittle() {
        try (PayloadStore store = new PayloadStore(
                        setup().mode(StoreMode.DISK).disk(200_000).config(), new Metrics());
                PayloadAppender greedy = store.appender("greedy");
                PayloadAppender late = store.appender("late")) {
            List<Written> held = new ArrayList<>();
            while (greedy.hasRoom()) {
                held.add(Written.write(greedy, random, 1000, 2000));
            }
            for (int i = 0; i < 3; i++) {
                assertTrue(late.hasRoom(), "after " + i);
                held.add(Written.write(late, random, 1000, 2000));
            }
            assertEquals(1, store.waiting());
            while (late.hasRoom()) {
                held.add(Written.write(late, random, 1000, 2000));
            }
            assertEquals(2, store.waiting());
            assertTrue(store.diskInUse() <= 200_000, store.state());
            held.forEach(written -> written.payload().release());
        }
    }

    @Test
    void movesTheNewestFirstAndColdSegments() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            List<Written> held = new ArrayList<>();
            for (int i = 0; i < 56; i++) { // 4 to a segment: one more than there is memory
                held.add(Written.write(appender, random, 1000));
            }
            assertEquals(4000, store.spilled());
            assertEquals(0, read(store, held.get(0)), "the oldest is in memory");
            assertEquals(4000, read(store, held.get(44)), "the newest full segment went to disk");
            for (int i = 0; i < 200; i++) {
                held.add(Written.write(appender, random, 1000));
            }
            assertEquals(4000, read(store, held.get(5)), "a segment older than twice the memory went to disk");
            held.forEach(Written::check);
            held.forEach(written -> written.payload().release());
            assertEquals(0, store.spilled());
        }
    }

    /** Bytes that are read from disk while a payload is read. */
    private static long read(PayloadStore store, Written written) {
        long before = store.readBytes();
        written.check();
        return store.readBytes() - before;
    }

    @Test
    void neverRemovesTheMemoryOfAView() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Written viewed = Written.write(appender, random, 1000);
            ByteBuffer view = viewed.payload().contiguousView();
            List<Written> held = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                held.add(Written.write(appender, random, 900));
            }
            byte[] seen = new byte[view.remaining()];
            view.get(view.position(), seen);
            assertArrayEquals(viewed.copy(), seen);
            viewed.payload().release();
            held.forEach(Written::check);
            held.forEach(written -> written.payload().release());
        }
    }

    @Test
    void readsALongTransactionFromDiskWithLittleMemory() {
        try (PayloadStore store = new PayloadStore(setup().transaction(0).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            Written written =
                    Written.write(appender, random, random.ints(400, 900, 901).toArray());
            try (Payload.Cursor cursor = written.payload().open()) {
                while (cursor.next() != null) {
                    assertTrue(store.segmentsInUse() <= 4 * (4 << 10), store.segmentsInUse() + " bytes");
                }
            }
            written.payload().release();
        }
    }

    @Test
    void waitsForMemoryWhenThereIsNoDisk() {
        try (PayloadStore store =
                        new PayloadStore(setup().mode(StoreMode.MEMORY).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            List<Written> held = new ArrayList<>();
            while (appender.hasRoom()) {
                held.add(Written.write(appender, random, 1000));
            }
            assertTrue(held.size() > 50);
            Written beyond = Written.write(appender, random, 10_000);
            beyond.check();
            held.forEach(written -> written.payload().release());
            beyond.payload().release();
            assertTrue(appender.hasRoom());
        }
        assertFalse(Files.exists(directory.resolve("payload")));
    }

    @Test
    void wipesOnlyTheSpillAtStartAndAtTheEnd() throws Exception {
        Files.createDirectories(directory.resolve("payload/old"));
        Files.writeString(directory.resolve("payload/old/000004.sst"), "left by a crash");
        Files.writeString(directory.resolve("mine.txt"), "an operator's");
        try (PayloadStore store = new PayloadStore(setup().mode(StoreMode.DISK).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            assertFalse(Files.exists(directory.resolve("payload")));
            Written.write(appender, random, 4000, 4000, 4000).check();
            assertTrue(Files.exists(directory.resolve("payload")));
        }
        assertFalse(Files.exists(directory.resolve("payload")));
        assertTrue(Files.exists(directory.resolve("mine.txt")));
    }

    @Test
    void refusesAFolderThatAnotherStoreHolds() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics())) {
            assertFalse(store.hasSpilled());
            assertCode(ErrorCode.DIRECTORY_IN_USE, () -> new PayloadStore(setup().config(), new Metrics()));
        }
        new PayloadStore(setup().config(), new Metrics()).close();
    }

    @Test
    void refusesAFolderThatCannotBeCreated() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertCode(
                ErrorCode.DIRECTORY_UNUSABLE,
                () -> new PayloadStore(StoreSetup.in(file.resolve("below")).config(), new Metrics()));
    }

    @Test
    void failsClearlyWhenSpilledPayloadIsReadAfterTheStoreWasClosed() {
        PayloadStore store = new PayloadStore(setup().mode(StoreMode.DISK).config(), new Metrics());
        PayloadAppender appender = store.appender("s1");
        Payload payload = Written.write(appender, random, 1000).payload();
        Written.write(appender, random, 4000, 4000).payload().release();
        appender.close();
        store.close();
        assertCode(ErrorCode.STORE_FAILED, payload::open);
        payload.release();
    }

    private static void assertCode(ErrorCode code, org.junit.jupiter.api.function.Executable attempt) {
        assertEquals(code, assertThrows(TributaryException.class, attempt).code());
    }

    @Test
    void stopsReadingWhenTokensHaveFilledTheirHeapAndReservesItsLastEighth() {
        try (PayloadStore store = new PayloadStore(setup().tokens(1 << 20).config(), new Metrics());
                PayloadAppender greedy = store.appender("greedy");
                PayloadAppender late = store.appender("relay r", Set.of("s2", "s3"));
                HeldTokens greedys = store.heldTokens("greedy");
                HeldTokens lates = store.heldTokens("s3")) {
            Written.write(greedy, random, 30).payload().release(); // the appender has a segment with room
            assertTrue(greedy.hasRoom());
            greedys.set(890 << 10);
            assertTrue(greedy.hasRoom(), "the last eighth begins at 896 KiB");
            greedys.set(930 << 10);
            assertFalse(greedy.hasRoom());
            assertTrue(late.hasRoom());
            assertEquals(1, store.waiting());
            assertTrue(store.state().contains("store.tokens"), store.state());
            assertTrue(
                    store.state().contains("shard greedy is paused and holds 4 KiB, tokens of 930 KiB"), store.state());
            lates.set(70 << 10); // more than half of the eighth
            assertFalse(late.hasRoom());
            lates.set(0);
            assertTrue(late.hasRoom());
            greedys.set(100 << 10);
            assertTrue(greedy.hasRoom());
            assertEquals(0, store.waiting());
        }
    }

    @Test
    void aClosedHolderOfTokensHoldsNothing() {
        try (PayloadStore store = new PayloadStore(setup().tokens(1 << 20).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            HeldTokens held = store.heldTokens("s1");
            held.set(1 << 20);
            assertFalse(appender.hasRoom());
            held.close();
            assertTrue(appender.hasRoom());
        }
    }

    @Test
    void modeDiskWritesEveryFullSegmentAndReadsUnwrittenOnesFromMemory() throws Exception {
        try (PayloadStore store = new PayloadStore(setup().mode(StoreMode.DISK).config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            List<Written> held = new ArrayList<>();
            for (int i = 0; i < 42; i++) { // 4 to a segment
                held.add(Written.write(appender, random, 1000));
            }
            Stage mover = store.mover().orElseThrow();
            while (mover.doWork() > 0) {}
            assertEquals(40_000, store.spilled());
            assertEquals(1 << 12, store.segmentsInUse(), "the current segment");
            held.get(41).check();
            assertEquals(0, store.readBytes());
            held.get(0).check();
            assertEquals(4000, store.readBytes());
            held.forEach(written -> written.payload().release());
        }
    }

    /** The mover, and for how long it sleeps. */
    private record Watched(Stage mover, AtomicLong rest) implements Stage {
        @Override
        public String name() {
            return mover.name();
        }

        @Override
        public int doWork() throws Exception {
            rest.set(0);
            return mover.doWork();
        }

        @Override
        public long restNanos() {
            long nanos = mover.restNanos();
            rest.set(nanos);
            return nanos;
        }

        @Override
        public void close() {
            mover.close();
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = Clock.SYSTEM.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(Clock.SYSTEM.nanoTime() < deadline, "it was not woken within 20 s");
            Thread.onSpinWait();
        }
    }

    @Test
    void theMoverSleepsUntilThereIsWorkAndMissesNone() {
        try (PayloadStore store = new PayloadStore(setup().transaction(2000).config(), new Metrics());
                StageRunner runner = new StageRunner((stage, cause) -> {});
                PayloadAppender appender = store.appender("s1")) {
            Watched mover = new Watched(store.mover().orElseThrow(), new AtomicLong());
            runner.onOwnThread(mover).start();
            for (int turn = 0; turn < 100; turn++) {
                if (turn % 2 == 0) {
                    await(() -> mover.rest().get() == Long.MAX_VALUE);
                }
                boolean isLarge = random.nextBoolean(); // goes to disk at once; the others when memory is short
                List<Written> held = new ArrayList<>();
                for (int tries = 0; store.spilled() == 0; tries++) {
                    assertTrue(tries < 50_000_000, "it was not woken");
                    if (appender.hasRoom()) {
                        held.add(
                                isLarge
                                        ? Written.write(appender, random, 3000, 3000)
                                        : Written.write(appender, random, 1000));
                    }
                    if (isLarge && held.size() == 2) {
                        await(() -> store.spilled() > 0);
                    }
                }
                held.forEach(written -> written.payload().release());
            }
        }
    }

    @Test
    void theHeadOfALargeEventMayBeAppendedLast() {
        try (PayloadStore store = new PayloadStore(setup().config(), new Metrics());
                PayloadAppender appender = store.appender("s1")) {
            for (int turn = 0; turn < 300; turn++) {
                ByteArrayOutputStream expected = new ByteArrayOutputStream();
                int count = random.nextInt(6);
                for (int i = 0; i < count; i++) {
                    if (random.nextBoolean()) {
                        expected.writeBytes(Written.append(appender, random, 19 + random.nextInt(3000)));
                    } else {
                        expected.writeBytes(appendHeadLast(appender, 20 + random.nextInt(20_000)));
                    }
                }
                Written written = new Written(appender.finish(), expected.toByteArray(), count);
                written.check();
                written.payload().release();
                if (random.nextInt(10) == 0) {
                    appendHeadLast(appender, 10_000);
                    appender.discard();
                }
            }
            assertEquals(4 << 10, store.segmentsInUse());
            assertEquals(0, store.spilled());
        }
    }

    private byte[] appendHeadLast(PayloadAppender appender, int size) {
        byte[] event = new byte[size];
        random.nextBytes(event);
        LittleEndian.putU32(event, 9, size);
        int headLength = 19 + random.nextInt(Math.min(30, size - 19));
        int events = appender.events();
        appender.appendHeadless(ByteBuffer.wrap(event), headLength, size - headLength);
        assertEquals(events + 1, appender.events());
        appender.hasRoom();
        appender.appendHead(ByteBuffer.wrap(event), 0, headLength);
        return event;
    }
}
