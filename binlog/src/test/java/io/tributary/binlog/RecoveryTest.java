package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    @TempDir
    Path folder;

    private BinlogSettings write(Path to, int transactions) throws Exception {
        BinlogSettings settings = BinlogSettings.in(to).fileSize(8192);
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(1, Optional.empty());
            while (task.gno() < transactions) {
                dumper.put(task.batch(5));
                dumper.put(task.cut());
                dumper.run();
            }
        }
        return settings;
    }

    private static Recovered recover(BinlogSettings settings) {
        BinlogConfig config = settings.config();
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            return Recovery.run(directory, config, Clock.SYSTEM);
        }
    }

    private static List<Path> binlogs(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("binlog.index")).stream()
                .map(folder::resolve)
                .map(Path::normalize)
                .toList();
    }

    @Test
    void startsAnEmptyFolderWithOneFileAndNoCutToResumeFrom() throws IOException {
        BinlogSettings settings = BinlogSettings.in(folder.resolve("a/b"));
        for (int i = 0; i < 2; i++) {
            Recovered recovered = recover(settings);
            assertEquals(Optional.empty(), recovered.resume());
            assertEquals("", recovered.files().executed().line());
            assertEquals(1, recovered.files().list().size());
        }
        assertEquals(0, BinlogReader.read(settings.folder()).transactions.size());
    }

    @Test
    void recoversTheFilesAndChangesNothingTheSecondTime() throws Exception {
        BinlogSettings settings = write(folder, 300);
        byte[] before = Files.readAllBytes(binlogs(folder).get(0));
        for (int i = 0; i < 2; i++) {
            Recovered recovered = recover(settings);
            assertEquals(300, recovered.resume().orElseThrow().transactions());
            assertEquals(
                    BinlogSettings.UUID + ":1-300", recovered.files().executed().line());
        }
        assertEquals(300, BinlogReader.read(folder).transactions.size());
        assertEquals(before.length, Files.size(binlogs(folder).get(0)));
    }

    @Test
    void readersKeepTheirFilesWhenTheFolderIsRecoveredAgain() throws Exception {
        BinlogSettings settings = write(folder, 50);
        BinlogFiles known = recover(settings).files();
        int[] notified = {0};
        known.subscribe(() -> notified[0]++);
        BinlogFile last = known.durableEnd().file();
        for (int more : new int[] {5, 300}) { // in the same file, and over several
            try (Dumper dumper = new Dumper(settings)) {
                TaskStream task = new TaskStream(1, dumper.recovered.resume());
                for (int i = 0; i < more / 5; i++) {
                    dumper.put(task.batch(5));
                    dumper.put(task.cut());
                    dumper.run();
                }
            }
            Recovered found = recover(settings);
            Recovered again = found.into(known);
            assertEquals(known, again.files());
            assertEquals(found.cut(), again.cut());
            assertEquals(found.files().durableEnd().offset(), known.durableEnd().offset());
            assertEquals(found.files().executed(), known.executed());
            assertEquals(found.files().list().toString(), known.list().toString());
            for (int i = 0; i < known.list().size(); i++) {
                assertEquals(
                        found.files().list().get(i).end(), known.list().get(i).end());
                assertEquals(
                        found.files().list().get(i).isFinished(),
                        known.list().get(i).isFinished());
            }
        }
        assertTrue(last.isFinished());
        assertEquals(2, notified[0]);
    }

    @Test
    void refusesToRemoveWhatReadersMayHaveRead() throws Exception {
        BinlogSettings settings = write(folder, 50);
        BinlogFiles known = recover(settings).files();
        try (var channel =
                java.nio.channels.FileChannel.open(known.durableEnd().file().path(), StandardOpenOption.WRITE)) {
            channel.truncate(known.durableEnd().offset() - 1);
        }
        Recovered found = recover(settings);
        TributaryException thrown = assertThrows(TributaryException.class, () -> found.into(known));
        assertEquals(ErrorCode.BINLOG_CORRUPT, thrown.code());
    }

    @Test
    void survivesAnyDamageOfTheLastFiles() throws Exception {
        Path original = folder.resolve("original");
        write(original, 300);
        List<Path> files = binlogs(original);
        Path last = files.get(files.size() - 1);
        byte[] bytes = Files.readAllBytes(last);
        long before = 0;
        Random random = new Random(2);
        for (int i = 0; i < 60; i++) {
            Path copy = folder.resolve("copy" + i);
            copy(original, copy);
            byte[] damaged = bytes.clone();
            int at = i * bytes.length / 60;
            damaged[at] ^= (byte) (1 + random.nextInt(255));
            byte[] left = i % 2 == 0 ? damaged : java.util.Arrays.copyOf(bytes, at);
            Files.write(copy.resolve(last.getFileName()), left);
            BinlogSettings settings = BinlogSettings.in(copy).fileSize(8192);
            long gno = recover(settings).cut().transactions();
            assertTrue(gno >= before, "a later damage loses less");
            assertTrue(gno <= 300);
            before = gno;
            try (Dumper dumper = new Dumper(settings)) {
                TaskStream task = new TaskStream(1, dumper.recovered.resume());
                dumper.put(task.batch(100));
                dumper.put(task.cut());
                dumper.run();
            }
            assertEquals(gno + 100, BinlogReader.read(copy).transactions.size());
        }
        assertTrue(before > 200);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                Files.copy(entry, to.resolve(entry.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Test
    void keepsADamagedFileWithoutAnyCutUnderAnotherName() throws Exception {
        BinlogSettings settings = write(folder, 300);
        List<Path> files = binlogs(folder);
        Path last = files.get(files.size() - 1);
        byte[] bytes = Files.readAllBytes(last);
        bytes[10] ^= 1;
        Files.write(last, bytes);
        long gno = recover(settings).cut().transactions();
        assertEquals(files, binlogs(folder));
        assertEquals(gno, BinlogReader.read(folder).transactions.size());
        assertArrayEquals(bytes, Files.readAllBytes(last.resolveSibling(last.getFileName() + ".damaged")));
    }

    @Test
    void doesNotChangeAFinishedFile() throws Exception {
        BinlogSettings settings = write(folder, 300);
        List<Path> files = binlogs(folder);
        Path last = files.get(files.size() - 1);
        Path before = files.get(files.size() - 2);
        byte[] bytes = Files.readAllBytes(before);
        Files.delete(last);
        Files.write(
                folder.resolve("binlog.index"),
                files.subList(0, files.size() - 1).stream()
                        .map(file -> "./" + file.getFileName())
                        .toList());
        recover(settings);
        assertEquals(files, binlogs(folder));
        assertArrayEquals(bytes, Files.readAllBytes(before));
        BinlogReader.read(folder);
    }

    @Test
    void removesWhatAnInterruptedRotationOrPurgeLeft() throws Exception {
        BinlogSettings settings = write(folder, 300);
        List<Path> files = binlogs(folder);
        Path next = folder.resolve(String.format("binlog.%06d", files.size() + 1));
        Files.createFile(next);
        Files.write(
                folder.resolve("binlog.index"),
                files.subList(1, files.size()).stream()
                        .map(file -> "./" + file.getFileName())
                        .toList());
        Recovered recovered = recover(settings);
        assertFalse(Files.exists(next));
        assertFalse(Files.exists(files.get(0)));
        assertEquals(
                files.get(1).getFileName().toString(), recovered.files().first().name());
        assertFalse(recovered.files().purged().isEmpty());
    }

    @Test
    void rebuildsALostIndex() throws Exception {
        BinlogSettings settings = write(folder, 300);
        List<Path> files = binlogs(folder);
        Files.delete(folder.resolve("binlog.index"));
        assertEquals(300, recover(settings).cut().transactions());
        assertEquals(files, binlogs(folder));
    }

    @Test
    void refusesAMissingFileBetweenOthers() throws Exception {
        BinlogSettings settings = write(folder, 300);
        Files.delete(binlogs(folder).get(1));
        TributaryException failure = assertThrows(TributaryException.class, () -> recover(settings));
        assertEquals(ErrorCode.BINLOG_CORRUPT, failure.code());
        assertTrue(failure.getMessage().contains("binlog.000002"));
    }

    /** A new binlog would use the same GTIDs again. */
    @Test
    void refusesToBeginAgainWhenAllFilesAreLost() throws Exception {
        BinlogSettings settings = write(folder, 300);
        List<Path> files = binlogs(folder);
        Path last = files.get(files.size() - 1);
        for (Path file : files.subList(0, files.size() - 1)) {
            Files.delete(file);
        }
        byte[] bytes = Files.readAllBytes(last);
        Files.write(last, new byte[100]);
        assertRefusesToBeginAgain(settings);
        Files.delete(last);
        assertRefusesToBeginAgain(settings);
        Files.write(last, bytes);
        assertEquals(300, recover(settings).cut().transactions());
    }

    /** A node that may become a leader recovers its folder as a follower first. */
    @Test
    void aLeaderRefusesToBeginAgainAfterItsFilesWereCheckedAsCopies() throws Exception {
        BinlogSettings settings = write(folder, 5);
        Files.write(binlogs(folder).get(0), new byte[100]);
        try (BinlogDirectory directory = BinlogDirectory.open(settings.config(), Clock.SYSTEM)) {
            assertTrue(Recovery.runForCopies(directory, settings.config(), Clock.SYSTEM)
                    .files()
                    .isEmpty());
            TributaryException failure = assertThrows(
                    TributaryException.class,
                    () -> Recovery.runForLeader(directory, settings.config(), epoch -> epoch + 1, Clock.SYSTEM));
            assertEquals(ErrorCode.BINLOG_CORRUPT, failure.code());
        }
    }

    /** The first file was not complete when the node ended, and the next start ended too. */
    @Test
    void beginsAgainWhenTheFirstFileWasNeverComplete() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder);
        recover(settings);
        Path first = binlogs(folder).get(0);
        Files.delete(folder.resolve("binlog.index"));
        Files.write(first, java.util.Arrays.copyOf(Files.readAllBytes(first), 50));
        for (int i = 0; i < 2; i++) {
            assertEquals("", recover(settings).files().executed().line());
        }
    }

    private static void assertRefusesToBeginAgain(BinlogSettings settings) {
        TributaryException failure = assertThrows(TributaryException.class, () -> recover(settings));
        assertEquals(ErrorCode.BINLOG_CORRUPT, failure.code());
        assertTrue(failure.getMessage().contains("binlog.index names, with a valid cut, found none"));
    }

    @Test
    void damageOfAFinishedFileIsFoundOnlyWhenItIsRead() throws Exception {
        BinlogSettings settings = write(folder, 300);
        Path second = binlogs(folder).get(1);
        byte[] bytes = Files.readAllBytes(second);
        bytes[bytes.length / 2] ^= 4;
        Files.write(second, bytes);
        BinlogFiles files = recover(settings).files();
        files.first().verify();
        BinlogFile damaged = files.find("binlog.000002").orElseThrow();
        assertEquals(
                ErrorCode.BINLOG_CORRUPT,
                assertThrows(TributaryException.class, damaged::verify).code());
    }

    @Test
    void theSparseIndexIsRebuiltWhenItIsMissingIncompleteOrDamaged() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder).fileSize(4 << 20);
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(1, Optional.empty());
            while (dumper.files().list().size() < 3) {
                for (int i = 0; i < 20; i++) {
                    dumper.put(task.batch(200));
                    dumper.put(task.large(10, 5000, 9000));
                }
                dumper.put(task.cut());
                dumper.run();
            }
            BinlogFile first = dumper.files().first();
            List<SparseEntry> written = SparseIndex.of(first);
            assertTrue(written.size() >= 4 && written.size() <= 6, written.toString());
            assertEquals(1, written.get(0).gno());
            SparseEntry afterACut = SparseIndex.of(dumper.files().list().get(1)).get(0);
            assertEquals(10 * (afterACut.gno() - 1), afterACut.tso(), "the TSO of the cut before it");
            assertEquals(first.end() >> 20, written.get(written.size() - 1).offset() >> 20);
            byte[] sidecar = Files.readAllBytes(first.indexPath());
            Files.delete(first.indexPath());
            assertEquals(written, SparseIndex.of(first));
            Files.write(first.indexPath(), java.util.Arrays.copyOf(sidecar, 70), StandardOpenOption.TRUNCATE_EXISTING);
            assertEquals(written, SparseIndex.of(first));
            assertEquals(
                    java.util.HexFormat.of().formatHex(sidecar),
                    java.util.HexFormat.of().formatHex(Files.readAllBytes(first.indexPath())));
            byte[] damaged = sidecar.clone();
            damaged[SparseEntry.LENGTH + 7] = -1; // the second offset is negative
            Files.write(first.indexPath(), damaged);
            assertEquals(written, SparseIndex.of(first));
            SparseEntry third = written.get(2);
            assertEquals(third.offset(), SparseIndex.offsetBefore(written, SparseEntry::gno, third.gno()));
            assertEquals(written.get(1).offset(), SparseIndex.offsetBefore(written, SparseEntry::gno, third.gno() - 1));
            assertEquals(4, SparseIndex.offsetBefore(written, SparseEntry::commitMicros, 0));
        }
    }
}
