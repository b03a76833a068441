package io.tributary.node.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.ByteSize;
import io.tributary.common.pipeline.Wakeup;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log lines in a file: their forms, rotation, and messages that are repeated. */
class LogOutputTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05.006Z");

    @TempDir
    Path folder;

    private final LogOutput log = new LogOutput(ZoneOffset.ofHours(1));

    @AfterEach
    void close() {
        log.close();
    }

    private Path file() {
        return folder.resolve("logs/tributary.log");
    }

    private void configure(LogConfig.Format format, int files) throws IOException {
        log.configure(new LogConfig(format, Optional.of(file()), ByteSize.parse("64KiB"), files, false));
    }

    private void configureWithCompression(int files) throws IOException {
        log.configure(new LogConfig(LogConfig.Format.TEXT, Optional.of(file()), ByteSize.parse("64KiB"), files, true));
    }

    private void log(Level level, String message, long millis, Throwable failure) {
        LogRecord event = new LogRecord(level, message);
        event.setLoggerName("io.tributary.node.Some");
        event.setInstant(START.plusMillis(millis));
        event.setThrown(failure);
        log.publish(event);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file());
    }

    @Test
    void aLineOfJsonHasTheShardTheThreadAndTheFailure() throws IOException {
        configure(LogConfig.Format.JSON, 3);
        log(Level.WARNING, "rounds wait: shard=s-2 reason=\"a\nb\"", 0, null);
        log(Level.SEVERE, "failed", 0, new IllegalStateException("why"));
        String thread = Thread.currentThread().getName();
        assertEquals(
                "{\"time\":\"2026-01-02T04:04:05.006+01:00\",\"level\":\"WARN\",\"thread\":\"" + thread
                        + "\",\"logger\":\"io.tributary.node.Some\",\"message\":\"rounds wait: shard=s-2 reason=\\\"a\\nb\\\"\","
                        + "\"shard\":\"s-2\"}",
                lines().get(0));
        assertTrue(lines().get(1).contains("\"failure\":\"java.lang.IllegalStateException: why\\n\\tat "));
        assertEquals(2, lines().size(), "a failure is one line too");
    }

    @Test
    void aPairThatIsRepeatedEightTimesASecondIsLoggedThreeTimesInTenSeconds() throws IOException {
        configure(LogConfig.Format.TEXT, 3);
        for (int i = 0; i < 80; i++) {
            log(Level.WARNING, "rounds wait for shard: shard=s2", i * 125L, null);
            log(Level.INFO, "shard takes rounds again: shard=s2", i * 125L, null);
            log(Level.INFO, "other: number=" + i, i * 125L, null);
        }
        assertEquals(3, count("rounds wait"));
        assertEquals(3, count("again"));
        assertEquals(80, count("other"));
        log(Level.INFO, "later", 10_000, null);
        assertTrue(lines().contains("2026-01-02T04:04:15.006+01:00 WARN  ["
                + Thread.currentThread().getName()
                + "] rounds wait for shard: shard=s2 (repeated: suppressed=77 within.seconds=10)"));
        assertEquals(2, count("suppressed=77"));
        log(Level.WARNING, "rounds wait for shard: shard=s2", 10_001, null);
        assertEquals(5, count("rounds wait"), "a new time begins");
    }

    @Test
    void whatIsSuppressedIsCountedAtTheEndAndInTheMetrics() throws IOException {
        configure(LogConfig.Format.TEXT, 3);
        for (int i = 0; i < 9; i++) {
            log(Level.SEVERE, "the same", i, null);
        }
        log(Level.WARNING, "once", 20, null);
        assertEquals(0, count("suppressed"));
        log.end();
        assertEquals(1, count("the same (repeated: suppressed=6 "));
        assertEquals(0, count("once (repeated"));
        assertEquals(
                List.of(9.0, 1.0),
                log.points().stream().map(point -> point.value()).toList());
    }

    private long count(String part) throws IOException {
        return lines().stream().filter(line -> line.contains(part)).count();
    }

    @Test
    void filesAreRotatedBySizeAndTheOldestIsDeleted() throws IOException {
        configure(LogConfig.Format.TEXT, 3);
        String text = "x".repeat(1000);
        for (int i = 0; i < 400; i++) {
            log(Level.INFO, i + text, i, null);
        }
        assertEquals(List.of("tributary.log", "tributary.log.1", "tributary.log.2"), names());
        assertTrue(Files.size(file()) <= 64 << 10);
        Path older = file().resolveSibling("tributary.log.1");
        assertTrue(Files.size(older) <= 64 << 10 && Files.size(older) > 60 << 10);
        List<String> last = Files.readAllLines(older);
        String first = lines().get(0);
        assertEquals(number(last.get(last.size() - 1)) + 1, number(first), "no line is lost between two files");
        assertEquals(399, number(lines().get(lines().size() - 1)));
    }

    @Test
    void olderFilesAreCompressedAndNoLineIsLostOrMixed() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file().resolveSibling("tributary.log.2"), "by an earlier version\n");
        Files.writeString(file().resolveSibling("tributary.log.gz.part"), "by a process that was killed");
        configureWithCompression(5);
        awaitNames("tributary.log", "tributary.log.2.gz");
        assertEquals(List.of("by an earlier version"), unpacked(2));

        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        String text = "x".repeat(1000);
        for (int i = 0; i < 600; i++) { // faster than the compression: files move while it reads them
            log(Level.INFO, i + text, i, null);
        }
        awaitNames(
                "tributary.log", "tributary.log.1", "tributary.log.2.gz", "tributary.log.3.gz", "tributary.log.4.gz");
        List<String> all = new ArrayList<>();
        for (int age = 4; age >= 2; age--) {
            all.addAll(unpacked(age));
        }
        all.addAll(Files.readAllLines(file().resolveSibling("tributary.log.1")));
        all.addAll(lines());
        int first = number(all.get(0));
        for (int i = 0; i < all.size(); i++) {
            assertEquals(first + i, number(all.get(i)));
        }
        assertEquals(599, first + all.size() - 1);
    }

    @Test
    void aCompressedFileIsAsPrivateAndAsOldAsTheLog() throws IOException {
        configureWithCompression(3);
        Path older = Files.writeString(file().resolveSibling("tributary.log.1"), "private\n");
        Files.setPosixFilePermissions(older, PosixFilePermissions.fromString("rw-------"));
        Files.setLastModifiedTime(older, FileTime.from(START));
        for (int i = 0; i < 70; i++) {
            log(Level.INFO, i + "x".repeat(1000), i, null);
        }
        awaitNames("tributary.log", "tributary.log.1", "tributary.log.2.gz");
        Path compressed = file().resolveSibling("tributary.log.2.gz");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(compressed)));
        assertEquals(
                START.getEpochSecond(),
                Files.getLastModifiedTime(compressed).toInstant().getEpochSecond());
        assertEquals(List.of("private"), unpacked(2));
    }

    @Test
    void aFailedCompressionKeepsTheFileAndIsTriedAgainAfterTheNextRotation() throws IOException {
        Path blocked = file().resolveSibling("tributary.log.2.gz");
        Files.createDirectories(blocked.resolve("not a file"));
        Files.writeString(file().resolveSibling("tributary.log.2"), "older\n");
        try (LogFile rotating = new LogFile(file(), 10, 5);
                LogCompression compression = new LogCompression(rotating, new Wakeup())) {
            work(compression);
            assertEquals(List.of("tributary.log", "tributary.log.2", "tributary.log.2.gz"), names());
            Files.delete(blocked.resolve("not a file"));
            Files.delete(blocked);
            work(compression);
            assertEquals(List.of("tributary.log", "tributary.log.2"), names());
            rotating.write("a line\n");
            rotating.write("a line\n");
            work(compression);
            assertEquals(List.of("tributary.log", "tributary.log.1", "tributary.log.3.gz"), names());
            assertEquals(List.of("older"), unpacked(3));
        }
    }

    private static void work(LogCompression compression) {
        while (compression.doWork() > 0) {}
    }

    private void awaitNames(String... wanted) {
        Await.until("files " + List.of(wanted), Duration.ofSeconds(20), () -> names().equals(List.of(wanted)));
    }

    private List<String> unpacked(int age) throws IOException {
        Path path = file().resolveSibling("tributary.log." + age + ".gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(path))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(file().getParent())) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    private static int number(String line) {
        return Integer.parseInt(line.substring(line.indexOf("] ") + 2, line.indexOf('x')));
    }

    @Test
    void anExistingFileIsContinued() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "earlier\n");
        configure(LogConfig.Format.TEXT, 1);
        log(Level.INFO, "now", 0, null);
        assertEquals("earlier", lines().get(0));
        assertEquals(2, lines().size());
        for (int i = 0; i < 100; i++) {
            log(Level.INFO, i + "x".repeat(1000), i, null);
        }
        assertFalse(lines().contains("earlier"), "with one file, it is emptied");
        assertEquals(List.of("tributary.log"), names());
    }
}
