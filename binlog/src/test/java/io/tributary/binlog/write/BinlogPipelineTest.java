package io.tributary.binlog.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogReader;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.event.EventHeader;
import io.tributary.testkit.alert.AlertCheck;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinlogPipelineTest {
    @TempDir
    Path folder;

    @Test
    void writesFilesThatPassAllChecks() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder))) {
            TaskStream task = feed(dumper, 3, 2000);
            assertEquals(task.gno(), dumper.files().durableEnd().gno());
            assertEquals(
                    BinlogSettings.UUID + ":1-" + task.gno(),
                    dumper.files().executed().line());
            assertEquals(0, task.unreleased());
            BinlogReader read = BinlogReader.read(folder);
            assertEquals(task.gno(), read.transactions.size());
        }
    }

    /** Writes random batches, large transactions and cuts in steps, and a final cut. */
    private static TaskStream feed(Dumper dumper, long seed, int atLeast) throws Exception {
        TaskStream task = new TaskStream(seed, dumper.recovered.resume());
        Random random = new Random(seed);
        while (task.gno() < atLeast) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                if (random.nextInt(6) == 0) {
                    dumper.put(task.large(1 + random.nextInt(20), 1 + random.nextInt(900), 100 + random.nextInt(900)));
                } else {
                    dumper.put(task.batch(1 + random.nextInt(50)));
                }
                if (random.nextBoolean()) {
                    dumper.put(task.cut());
                }
            }
            dumper.clock.advanceMillis(random.nextInt(300));
            dumper.run();
        }
        dumper.put(task.cut());
        dumper.clock.advanceMillis(1000);
        dumper.run();
        return task;
    }

    @Test
    void severalPatchersGiveTheSameBytesAsOne() throws Exception {
        Path one = folder.resolve("one");
        Path four = folder.resolve("four");
        try (Dumper dumper = new Dumper(BinlogSettings.in(one).fileSize(100_000))) {
            feed(dumper, 5, 2000);
        }
        try (Dumper dumper =
                new Dumper(BinlogSettings.in(four).fileSize(100_000).patchers(4))) {
            feed(dumper, 5, 2000);
        }
        List<String> names = Files.readAllLines(one.resolve("binlog.index"));
        assertTrue(names.size() > 2);
        for (String name : names) {
            assertArrayEquals(Files.readAllBytes(one.resolve(name)), Files.readAllBytes(four.resolve(name)), name);
            assertArrayEquals(
                    Files.readAllBytes(one.resolve(name + ".idx")), Files.readAllBytes(four.resolve(name + ".idx")));
        }
    }

    @Test
    void rotatesOnlyAfterACutWhenTheFileIsLargerThanItsSize() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder).fileSize(4096))) {
            TaskStream task = new TaskStream(1, Optional.empty());
            dumper.put(task.batch(200));
            dumper.run();
            assertEquals(1, dumper.files().list().size());
            assertEquals(0, dumper.files().durableEnd().gno());
            dumper.put(task.cut());
            dumper.run();
            assertEquals(2, dumper.files().list().size());
            BinlogFile first = dumper.files().first();
            assertTrue(first.isFinished());
            assertEquals(Files.size(first.path()), first.end());
            assertEquals(200, dumper.files().durableEnd().gno());
            assertEquals(
                    BinlogSettings.UUID + ":1-200",
                    dumper.files().next(first).orElseThrow().previousGtids().line());
            feed(dumper, task, 1000);
            assertTrue(BinlogReader.read(folder).rotates > 5);
        }
    }

    private static void feed(Dumper dumper, TaskStream task, int atLeast) throws Exception {
        while (task.gno() < atLeast) {
            dumper.put(task.batch(40));
            dumper.put(task.cut());
            dumper.run();
        }
    }

    @Test
    void continuesAfterTheLastCutAfterARestart() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder.resolve("restarted")).fileSize(60_000);
        for (int part = 1; part <= 10; part++) {
            try (Dumper dumper = new Dumper(settings)) {
                TaskStream task = new TaskStream(8, dumper.recovered.resume());
                assertEquals(task.gno(), dumper.recovered.cut().transactions());
                feed(dumper, task, part * 200);
                dumper.put(task.batch(10)); // written, and lost because no cut follows
                dumper.run();
            }
        }
        new Dumper(settings).close();
        BinlogSettings straight = BinlogSettings.in(folder.resolve("straight"));
        List<String> found = BinlogReader.read(settings.folder()).transactions;
        try (Dumper dumper = new Dumper(straight)) {
            feed(dumper, new TaskStream(8, Optional.empty()), found.size());
        }
        assertBegins(BinlogReader.read(straight.folder()).transactions, found);
    }

    private static void assertBegins(List<String> all, List<String> found) {
        for (int i = 0; i < found.size(); i++) {
            assertEquals(all.get(i), found.get(i), "transaction " + (i + 1));
        }
    }

    @Test
    void aCutIsWrittenAlsoWithoutATransactionSinceTheLastOne() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder))) {
            TaskStream task = new TaskStream(1, Optional.empty());
            dumper.put(task.batch(1));
            dumper.put(task.cut());
            dumper.run();
            long end = dumper.files().durableEnd().offset();
            dumper.put(task.cut());
            dumper.run();
            assertTrue(dumper.files().durableEnd().offset() > end);
            assertEquals(3, BinlogReader.read(folder).cuts);
        }
    }

    @Test
    void aBlockLargerThanTheMemoryStillPasses() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder).memory(1 << 20))) {
            TaskStream task = new TaskStream(1, Optional.empty());
            dumper.put(task.large(3, 900_000, 2_000_000));
            for (int i = 0; i < 400; i++) {
                dumper.put(task.batch(30));
            }
            dumper.put(task.large(3, 900_000, 10_000));
            dumper.put(task.cut());
            dumper.run();
            assertEquals(task.gno(), dumper.files().durableEnd().gno());
            assertEquals(task.gno(), BinlogReader.read(folder).transactions.size());
        }
    }

    @Test
    void withAnIntervalReadersSeeWhatWasSynced() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder).sync(BinlogSync.INTERVAL))) {
            TaskStream task = new TaskStream(1, Optional.empty());
            dumper.put(task.batch(5));
            dumper.put(task.cut());
            dumper.run();
            assertEquals(0, dumper.files().durableEnd().gno());
            dumper.clock.advanceMillis(100);
            dumper.run();
            assertEquals(5, dumper.files().durableEnd().gno());
            assertTrue(dumper.metrics().contains("tributary_write_syncs_total 1.0"));
            assertTrue(dumper.metrics().contains("tributary_write_transactions_total 5.0"));
        }
    }

    @Test
    void notifiesSubscribersWhenTheEndMoves() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder).sync(BinlogSync.ALWAYS))) {
            TaskStream task = new TaskStream(1, Optional.empty());
            int[] notified = new int[1];
            Runnable listener = () -> notified[0]++;
            dumper.files().subscribe(listener);
            dumper.put(task.batch(5));
            dumper.run();
            assertEquals(0, notified[0]);
            dumper.put(task.cut());
            dumper.run();
            assertEquals(1, notified[0]);
            dumper.files().unsubscribe(listener);
            feed(dumper, task, 20);
            assertEquals(1, notified[0]);
        }
    }

    @Test
    void refusesChunksThatContradictEachOther() {
        assertContradiction(task -> List.of(task.batch(1), new Chunk.End(2)));
        assertContradiction(task -> List.of(new Chunk.Begin(1, 10, 1), task.batch(1)));
        assertContradiction(task -> List.of(new Chunk.Begin(1, 10, 1), new Chunk.End(2)));
        assertContradiction(task -> {
            Chunk lost = task.batch(1);
            lost.release();
            return List.of(task.batch(1));
        });
        assertContradiction(task -> {
            Chunk.CutMark cut = (Chunk.CutMark) task.cut();
            Chunk.Batch batch = (Chunk.Batch) task.batch(1);
            return List.of(new Chunk.Batch(1, batch.view(), new int[] {99}, batch.events(), () -> {}), cut);
        });
        assertContradiction(task -> {
            Chunk.Batch batch = (Chunk.Batch) task.batch(2);
            return List.of(new Chunk.Batch(
                    1,
                    batch.view().position(batch.view().position() + batch.lengths()[0]),
                    new int[] {batch.lengths()[1]},
                    new int[] {batch.events()[1]},
                    () -> {}));
        });
    }

    @Test
    void refusesABatchWhoseEventsAreNotThoseThatItDeclares() {
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0] + 1, events[1]}));
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0] - 1, events[1]}));
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0], events[1] + 1}));
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0], events[1] - 1}));
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0], 0}));
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0], 1 << 30}));
        assertContradiction(task -> batchOfEvents(task, events -> new int[] {events[0]}));
        assertContradiction(task -> {
            Chunk.Batch batch = (Chunk.Batch) task.batch(2);
            int[] shifted = {batch.lengths()[0] + 19, batch.lengths()[1] - 19};
            return List.of(new Chunk.Batch(1, batch.view(), shifted, batch.events(), () -> {}));
        });
        assertContradiction(task -> {
            Chunk.Batch batch = (Chunk.Batch) task.batch(2);
            EventHeader.setSize(batch.view(), batch.view().position(), 1 << 30);
            return List.of(batch);
        });
    }

    private static List<Chunk> batchOfEvents(TaskStream task, UnaryOperator<int[]> events) {
        Chunk.Batch batch = (Chunk.Batch) task.batch(2);
        return List.of(new Chunk.Batch(1, batch.view(), batch.lengths(), events.apply(batch.events()), () -> {}));
    }

    private interface Mistake {
        List<Chunk> chunks(TaskStream task);
    }

    private void assertContradiction(Mistake mistake) {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder))) {
            dumper.put(mistake.chunks(new TaskStream(1, Optional.empty())));
            TributaryException failure = assertThrows(TributaryException.class, dumper::run);
            assertEquals(ErrorCode.STREAM_CONTRADICTION, failure.code(), failure.getMessage());
        }
    }

    @Test
    void aFullDiskIsReportedAndNothingBeforeTheLastCutIsLost() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).sync(BinlogSync.ALWAYS);
        long gno;
        try (Dumper dumper = new Dumper(settings, point -> {}, TestDisk.after(50_000))) {
            TributaryException failure = assertThrows(TributaryException.class, () -> feed(dumper, 2, 100_000));
            assertEquals(ErrorCode.DISK_FULL, failure.code());
            assertTrue(failure.getMessage().contains("binlog.000001"), failure.getMessage());
            gno = dumper.files().durableEnd().gno();
            assertTrue(gno > 0);
        }
        try (Dumper dumper = new Dumper(settings)) {
            assertTrue(dumper.files().durableEnd().gno() >= gno);
            feed(dumper, new TaskStream(2, dumper.recovered.resume()), (int) gno + 500);
        }
        BinlogReader.read(folder);
    }

    @Test
    void reportsHowLongTheDiskHasNotAnswered() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(20_000).sync(BinlogSync.ALWAYS);
        AtomicReference<Dumper> made = new AtomicReference<>();
        Set<Long> waited = new TreeSet<>();
        int[] forces = {0};
        FileOpener slow = TestDisk.reporting(size -> {
            made.get().clock.advanceMillis(7000);
            waited.add(made.get().diskNanos());
            forces[0]++;
        });
        try (Dumper dumper = new Dumper(settings, FailPoint.NONE, slow)) {
            made.set(dumper);
            assertEquals(0, dumper.diskNanos());
            feed(dumper, 5, 500);
            assertTrue(dumper.files().list().size() > 1, "new files are synced too");
            assertTrue(forces[0] > 2);
            assertEquals(Set.of(TimeUnit.SECONDS.toNanos(7)), waited);
            dumper.clock.advanceMillis(1000);
            assertEquals(0, dumper.diskNanos(), "it has answered");
        }
    }

    @Test
    void whatReadersReadSurvivesALossOfPowerAtAnyProgressOfTheStages() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(20_000).sync(BinlogSync.ALWAYS);
        Random random = new Random(11);
        for (int i = 0; i < 60; i++) {
            Map<Path, Long> forced = new HashMap<>();
            long seen;
            try (Dumper dumper = new Dumper(settings, FailPoint.NONE, TestDisk.recording(forced))) {
                TaskStream task = new TaskStream(9, dumper.recovered.resume());
                for (int step = 0; step < 200; step++) {
                    if (random.nextInt(3) == 0) {
                        dumper.put(task.batch(1 + random.nextInt(20)));
                        dumper.put(task.cut());
                    }
                    dumper.step(random);
                    BinlogPosition end = dumper.files().durableEnd();
                    Long kept = forced.get(end.file().path());
                    assertTrue(kept == null || end.offset() <= kept, () -> end + " is published, synced are " + kept);
                }
                seen = dumper.files().durableEnd().gno();
            }
            for (Map.Entry<Path, Long> file : forced.entrySet()) { // loss of power: unsynced bytes are lost
                try (FileChannel channel = FileChannel.open(file.getKey(), StandardOpenOption.WRITE)) {
                    channel.truncate(file.getValue());
                }
            }
            try (Dumper dumper = new Dumper(settings)) {
                assertTrue(dumper.files().durableEnd().gno() >= seen);
            }
        }
        assertTrue(BinlogReader.read(folder).transactions.size() > 1000);
    }

    @Test
    void aCrashAtAnyStepLosesAndRepeatsNothing() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(5000).sync(BinlogSync.ALWAYS);
        List<String> edges = List.of(
                "writer.beforeWrite",
                "writer.afterWrite.beforeSync",
                "writer.afterSync.beforePublish",
                "writer.rotate.beforeCreate",
                "writer.rotate.afterCreate",
                "writer.rotate.afterIndex");
        Random random = new Random(4);
        for (int i = 0; i < 120; i++) {
            String edge = edges.get(i % edges.size());
            int[] left = {1 + random.nextInt(5)};
            long seen = 0;
            try (Dumper dumper = new Dumper(settings, point -> crash(point, edge, left), FileOpener.SYSTEM)) {
                TaskStream task = new TaskStream(9, dumper.recovered.resume());
                seen = dumper.files().durableEnd().gno();
                assertThrows(IllegalStateException.class, () -> feed(dumper, task, Integer.MAX_VALUE));
                seen = dumper.files().durableEnd().gno();
            }
            try (Dumper dumper = new Dumper(settings)) {
                assertTrue(dumper.files().durableEnd().gno() >= seen);
            }
        }
        List<String> found = BinlogReader.read(folder).transactions;
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder.resolve("straight")))) {
            feed(dumper, new TaskStream(9, Optional.empty()), found.size());
        }
        assertBegins(BinlogReader.read(folder.resolve("straight")).transactions, found);
    }

    private static void crash(String point, String edge, int[] left) {
        if (point.equals(edge) && --left[0] == 0) {
            throw new IllegalStateException("crash at " + point);
        }
    }

    @Test
    void aSecondDumperOnTheFolderIsRefused() throws IOException {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder))) {
            assertEquals(1, dumper.files().list().size());
            TributaryException failure =
                    assertThrows(TributaryException.class, () -> new Dumper(BinlogSettings.in(folder)).close());
            assertEquals(ErrorCode.DIRECTORY_IN_USE, failure.code());
        }
        new Dumper(BinlogSettings.in(folder)).close();
    }

    @Test
    void anAlertFiresWhenSyncsOfTheDiskAreSlow() throws Exception {
        AtomicLong syncMillis = new AtomicLong(3);
        AtomicReference<Dumper> running = new AtomicReference<>();
        FileOpener slow = TestDisk.reporting(size -> {
            if (running.get() != null) {
                running.get().clock.advanceMillis(syncMillis.get());
            }
        });
        TaskStream task = new TaskStream(1, Optional.empty());
        AlertCheck alert = new AlertCheck(folder.resolve("alert"));
        BinlogSettings settings = BinlogSettings.in(folder.resolve("binlog")).sync(BinlogSync.ALWAYS);
        try (Dumper dumper = new Dumper(settings, FailPoint.NONE, slow)) {
            running.set(dumper);
            for (int minute = 0; minute < 40; minute++) {
                if (minute == 15) {
                    syncMillis.set(800);
                    alert.fault();
                }
                dumper.put(task.batch(3));
                dumper.put(task.cut());
                dumper.run();
                alert.shows(dumper.metrics(), Duration.ofMinutes(1));
            }
        }
        alert.assertFires("TributarySlowSync");
    }
}
