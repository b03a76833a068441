package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileVerifier;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.binlog.write.CopyWriter;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Put;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After any recovery, the journal's map is the same as it was at the cut that is found. */
class JournalRecoveryTest {
    @TempDir
    Path folder;

    /** The map after each change, by its number; a Task that resumes after a cut discards later ones. */
    private static final class Model {
        private final List<Map<String, String>> maps = new ArrayList<>(List.of(Map.of()));

        void back(long number) {
            maps.subList((int) number + 1, maps.size()).clear();
        }

        io.tributary.common.value.Chunk change(TaskStream task, Random random) {
            Map<String, String> next = new TreeMap<>(maps.get(maps.size() - 1));
            Map<String, Put> puts = new TreeMap<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                byte[] value = new byte[random.nextInt(8) == 0 ? 700 : random.nextInt(80)];
                Arrays.fill(value, (byte) random.nextInt());
                String key = "d\0shop\0t" + random.nextInt(12);
                puts.put(key, new Put(key, value));
                next.put(key, Arrays.toString(value));
            }
            List<String> removed = new ArrayList<>();
            String gone = "d\0shop\0t" + random.nextInt(12);
            if (random.nextInt(3) == 0 && !puts.containsKey(gone)) {
                removed.add(gone);
                next.remove(gone);
            }
            maps.add(next);
            return task.change(List.copyOf(puts.values()), removed);
        }

        void check(Dumper dumper, String at) {
            check(dumper.directory.journal(), dumper.recovered.cut(), at);
        }

        void check(JournalMap map, Cut cut, String at) {
            assertEquals(cut.schemaNumber(), map.number(), at);
            assertEquals(maps.get((int) cut.schemaNumber()), shown(map), at);
        }
    }

    private static Map<String, String> shown(JournalMap map) {
        Map<String, String> shown = new TreeMap<>();
        map.forEach("", (key, value) -> shown.put(key, Arrays.toString(value)));
        return shown;
    }

    private static List<Path> binlogs(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("binlog.index")).stream()
                .map(folder::resolve)
                .map(Path::normalize)
                .toList();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                Files.copy(entry, to.resolve(entry.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Writes transactions, changes and cuts; the last ones may be after the last cut. */
    private static void write(Dumper dumper, Model model, Random random, int steps) throws Exception {
        write(dumper, new TaskStream(3, dumper.recovered.resume()), model, random, steps);
    }

    private static void write(Dumper dumper, TaskStream task, Model model, Random random, int steps) throws Exception {
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(3) == 0) {
                dumper.put(model.change(task, random));
            }
            if (random.nextInt(12) == 0) {
                dumper.put(task.large(1 + random.nextInt(5), 1 + random.nextInt(500), 300));
            } else {
                dumper.put(task.batch(1 + random.nextInt(6)));
            }
            if (random.nextInt(3) > 0) {
                dumper.put(task.cut());
            }
            dumper.clock.advanceMillis(random.nextInt(900));
            dumper.run();
        }
        assertEquals(0, task.unreleased());
    }

    @Test
    void changesAreRecoveredUpToTheLastCutAndNoFurther() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder);
        Model model = new Model();
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(1, Optional.empty());
            dumper.put(model.change(task, new Random(1)));
            dumper.put(task.batch(2));
            dumper.put(task.cut());
            dumper.put(model.change(task, new Random(2)));
            dumper.put(task.batch(2));
            dumper.run();
            assertEquals(2, dumper.directory.journal().number());
        }
        try (Dumper dumper = new Dumper(settings)) {
            assertEquals(1, dumper.recovered.cut().schemaNumber());
            model.check(dumper, "");
        }
    }

    @Test
    void aFileTruncatedAtAnyByteGivesTheMapOfTheLastCut() throws Exception {
        Path original = folder.resolve("original");
        BinlogSettings settings = BinlogSettings.in(original).fileSize(3000);
        Model model = new Model();
        Random random = new Random(4);
        try (Dumper dumper = new Dumper(settings)) {
            write(dumper, model, random, 25);
        }
        assertTrue(binlogs(original).size() > 2);
        Path last = binlogs(original).get(binlogs(original).size() - 1);
        byte[] bytes = Files.readAllBytes(last);
        assertTrue(bytes.length > 1000, bytes.length + " bytes");
        Path copy = folder.resolve("copy");
        copy(original, copy);
        BinlogConfig config = BinlogSettings.in(copy).fileSize(3000).config();
        long before = 0;
        for (int length = 0; length <= bytes.length; length++) {
            if (length <= 300) { // without a cut the recovery uses the file before
                copy(original, copy);
            }
            Files.write(copy.resolve(last.getFileName()), Arrays.copyOf(bytes, length));
            try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
                Cut cut = Recovery.run(directory, config, Clock.SYSTEM).cut();
                model.check(directory.journal(), cut, "truncated at " + length);
                assertTrue(cut.schemaNumber() >= before);
                before = cut.schemaNumber();
            }
        }
    }

    @Test
    void anyHistoryOfRotationsPurgesCrashesAndDamageGivesTheMapOfTheCut() throws Exception {
        long first = Long.getLong("journal.seed", new Random().nextLong());
        int histories = Integer.getInteger("journal.histories", 1000);
        long recoveries = 0;
        long snapshots = 0;
        for (long seed = first; seed < first + histories; seed++) {
            Random random = new Random(seed);
            String at = "-Djournal.seed=" + seed;
            Path place = folder.resolve("history");
            BinlogSettings settings = BinlogSettings.in(place).fileSize(1000 + random.nextInt(9000));
            Model model = new Model();
            int damaged = 0;
            int needed;
            for (int lives = 2 + random.nextInt(4); lives > 0; lives--) {
                try (Dumper dumper = new Dumper(settings)) {
                    recoveries++;
                    model.check(dumper, at);
                    model.back(dumper.recovered.cut().schemaNumber());
                    TaskStream task = new TaskStream(3, dumper.recovered.resume());
                    for (int turn = random.nextInt(4); turn >= 0; turn--) {
                        write(dumper, task, model, random, random.nextInt(8));
                        if (random.nextInt(3) == 0) {
                            List<BinlogFile> files = dumper.files().list();
                            dumper.files()
                                    .purgeTo(files.get(random.nextInt(files.size()))
                                            .name());
                            dumper.run();
                        }
                        if (random.nextInt(4) == 0) {
                            dumper.files().requestRotation();
                            dumper.run();
                        }
                    }
                    needed = dumper.files().firstNeeded();
                }
                int last = BinlogDirectory.number(last(place).getFileName().toString());
                // not the file to which a recovery went back, nor the only snapshot left by a purge, nor the only file
                boolean mayDamage =
                        last > damaged + 1 && last != needed && binlogs(place).size() > 1;
                if (mayDamage && random.nextInt(3) == 0) {
                    damaged = last;
                    cutOff(last(place), random);
                }
                snapshots += damage(place, random);
            }
            try (Dumper dumper = new Dumper(settings)) {
                model.check(dumper, at);
            }
            delete(place);
        }
        assertTrue(recoveries > 2L * histories);
        assertTrue(snapshots > histories / 2, snapshots + " files begin with a snapshot");
    }

    private static void cutOff(Path file, Random random) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(random.nextLong(channel.size() + 1));
        }
    }

    /** Deletes an index at times; returns how many files begin with a snapshot. */
    private static long damage(Path place, Random random) throws IOException {
        List<Path> files = binlogs(place);
        if (files.size() > 1 && random.nextInt(4) == 0) {
            Path index = files.get(random.nextInt(files.size() - 1));
            Files.deleteIfExists(index.resolveSibling(index.getFileName() + ".idx"));
        }
        long snapshots = 0;
        for (Path file : files) {
            String text = new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
            snapshots += text.contains("\u0010\u0003x\u0001") ? 1 : 0; // kind of its last record
        }
        return snapshots;
    }

    private static void delete(Path place) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(place)) {
            all = walk.sorted(java.util.Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }

    @Test
    void anIndexWithoutItsChangesIsNotTrusted() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(3000);
        Model model = new Model();
        try (Dumper dumper = new Dumper(settings)) {
            write(dumper, model, new Random(6), 40);
        }
        for (Path file : binlogs(folder)) {
            Path index = file.resolveSibling(file.getFileName() + ".idx");
            byte[] bytes = Files.readAllBytes(index);
            byte[] kept = new byte[bytes.length];
            int length = 0;
            for (int at = 0; at < bytes.length; at += SparseEntry.LENGTH) {
                if (bytes[at + SparseEntry.LENGTH - 1] != -1) { // the entry of a change
                    System.arraycopy(bytes, at, kept, length, SparseEntry.LENGTH);
                    length += SparseEntry.LENGTH;
                }
            }
            Files.write(index, Arrays.copyOf(kept, length));
        }
        try (Dumper dumper = new Dumper(settings)) {
            assertTrue(dumper.recovered.cut().schemaNumber() > 5);
            model.check(dumper, "");
        }
    }

    @Test
    void theIndexOfChangesIsTheSameWhetherItIsWrittenOrRebuilt() throws Exception {
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder).fileSize(3000))) {
            write(dumper, new Model(), new Random(6), 40);
            for (BinlogFile file : dumper.files().list()) {
                if (file.isFinished()) {
                    byte[] written = Files.readAllBytes(file.indexPath());
                    Files.delete(file.indexPath());
                    SparseIndex.of(file);
                    assertArrayEquals(written, Files.readAllBytes(file.indexPath()), file.name());
                }
            }
        }
        BinlogReader.read(folder);
    }

    @Test
    void aPurgeKeepsTheNewestSnapshotAndLetsTheNextFileBeginWithOne() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(4000);
        Model model = new Model();
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(1, Optional.empty());
            Random random = new Random(1);
            for (int i = 0; i < 60; i++) {
                dumper.put(model.change(task, random));
            }
            dumper.put(task.batch(1));
            dumper.put(task.cut());
            dumper.run();
            while (dumper.files().list().size() < 4) { // too few bytes for such a large snapshot
                dumper.put(task.batch(3));
                dumper.put(task.cut());
                dumper.run();
            }
            BinlogFile first = dumper.files().first();
            assertEquals(first.number(), dumper.files().firstNeeded());
            dumper.put(task.batch(1));
            dumper.put(task.cut());
            dumper.run();
            dumper.files().requestRotation();
            dumper.run();
            String newest = dumper.files().durableEnd().file().name();
            Purge held = dumper.files().purgeTo(newest);
            assertEquals(new Purge(List.of(), Optional.of(first.name()), true), held);
            Purge purge = purged(dumper, newest);
            assertFalse(purge.purged().isEmpty());
            assertTrue(dumper.files().firstNeeded() > BinlogDirectory.number(newest));
            BinlogFile withoutTransaction = dumper.files().find(newest).orElseThrow();
            assertTrue(withoutTransaction.isFinished());
            assertEquals(
                    dumper.files().executed(),
                    FileVerifier.verified(withoutTransaction).previousGtids());
        }
        try (Dumper dumper = new Dumper(settings)) {
            assertEquals(60, dumper.recovered.cut().schemaNumber());
            model.check(dumper, "");
        }
    }

    /** Purges, runs so that a file begins with a snapshot, and purges again; no transaction is needed in between. */
    private static Purge purged(Dumper dumper, String to) throws Exception {
        Purge first = dumper.files().purgeTo(to);
        if (!first.awaitsSnapshot()) {
            return first;
        }
        dumper.run();
        Purge second = dumper.files().purgeTo(to);
        assertEquals(Optional.empty(), second.held());
        return second;
    }

    @Test
    void aMapOfAnySizeIsWrittenInPartsAndReadAgain() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(2_000_000);
        Map<String, String> expected = new TreeMap<>();
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(1, Optional.empty());
            for (int i = 0; i < 60_000; ) {
                List<Put> puts = new ArrayList<>();
                for (int n = 0; n < 2000; n++, i++) {
                    byte[] value = new byte[100];
                    new Random(i).nextBytes(value);
                    puts.add(new Put("d\0shop\0table" + i, value));
                    expected.put("d\0shop\0table" + i, Arrays.toString(value));
                }
                dumper.put(task.change(puts, List.of()));
                dumper.put(task.batch(1));
            }
            dumper.put(task.cut());
            dumper.run();
            dumper.put(task.batch(1));
            dumper.put(task.cut());
            dumper.run();
            String to = dumper.files().durableEnd().file().name();
            purged(dumper, to);
            BinlogFile snapshot = dumper.files().find(to).orElseThrow();
            while (snapshot.number() < dumper.files().firstNeeded()) {
                snapshot = dumper.files().next(snapshot).orElseThrow();
            }
            dumper.files().purgeTo(snapshot.name());
            assertTrue(snapshot.end() > 6_000_000, snapshot.end() + " bytes");
            assertTrue(Files.exists(folder.resolve("journal").resolve("payload")));
        }
        try (Dumper dumper = new Dumper(settings)) {
            assertEquals(expected, shown(dumper.directory.journal()));
        }
    }

    @Test
    void aRecordThatDoesNotFollowIsAContradiction() throws Exception {
        Put put = new Put("k", new byte[1]);
        for (int wrong = 0; wrong < 3; wrong++) {
            try (Dumper dumper = new Dumper(BinlogSettings.in(folder.resolve("wrong" + wrong)))) {
                TaskStream task = new TaskStream(1, Optional.empty());
                TaskStream other = new TaskStream(1, Optional.empty());
                var change = task.change(List.of(put), List.of());
                switch (wrong) {
                    case 0 -> {
                        other.batch(1).release();
                        dumper.put(change);
                        dumper.put(other.cut()); // without the change and the transaction
                    }
                    case 1 ->
                        dumper.put(new io.tributary.common.value.Chunk.JournalMark(
                                1, Journal.change(2, List.of(put), List.of())));
                    default -> dumper.put(new io.tributary.common.value.Chunk.JournalMark(1, Journal.end(0)));
                }
                TributaryException thrown = assertThrows(TributaryException.class, dumper::run);
                assertEquals(ErrorCode.STREAM_CONTRADICTION, thrown.code());
            }
        }
    }

    @Test
    void aFollowerThatBecomesLeaderHasTheLeadersMapAndKeepsTheFilesThatItNeeds() throws Exception {
        Path leader = folder.resolve("leader");
        Model model = new Model();
        try (Dumper dumper = new Dumper(BinlogSettings.in(leader).fileSize(3000))) {
            write(dumper, model, new Random(8), 60);
            TaskStream task = new TaskStream(9, Optional.empty());
            assertEquals(0, task.unreleased());
        }
        BinlogConfig config =
                BinlogSettings.in(folder.resolve("follower")).fileSize(3000).config();
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            CopiedFiles nothing = Recovery.runForCopies(directory, config, Clock.SYSTEM);
            BinlogFiles followed;
            try (CopyWriter writer = new CopyWriter(BinlogDisk.of(directory, config, Clock.SYSTEM), nothing)) {
                for (Path file : binlogs(leader)) {
                    byte[] bytes = Files.readAllBytes(file);
                    int number = BinlogDirectory.number(file.getFileName().toString());
                    for (int at = 0; at < bytes.length; at += 500) {
                        int length = Math.min(500, bytes.length - at);
                        writer.write(
                                number, at, ByteBuffer.wrap(bytes, at, length).slice());
                        boolean isFileEnd = at + length == bytes.length && !file.equals(last(leader));
                        writer.syncAndVerify(isFileEnd);
                    }
                }
                followed = writer.files().orElseThrow();
            }
            followed.requireNoAcknowledgement();
            CopiedFiles again = Recovery.runForCopies(directory, config, Clock.SYSTEM);
            int needed = again.files().orElseThrow().firstNeeded();
            assertTrue(needed > 1, "file " + needed);
            assertTrue(followed.firstNeeded() <= needed);
            Recovered own = Recovery.runForLeader(directory, config, epoch -> epoch + 1, Clock.SYSTEM);
            model.check(directory.journal(), own.cut(), "");
            assertEquals(needed, own.files().firstNeeded());
        }
    }

    private static Path last(Path folder) throws IOException {
        return binlogs(folder).get(binlogs(folder).size() - 1);
    }
}
