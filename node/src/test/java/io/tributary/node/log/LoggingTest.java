package io.tributary.node.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.TributaryException;
import io.tributary.testkit.server.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.jul.JULServiceProvider;

/** What a node logs, as people and scripts read it. */
class LoggingTest {
    private static String line(String logger, Level level, String message, Throwable failure) {
        LogRecord event = new LogRecord(level, message);
        event.setInstant(Instant.parse("2026-01-02T03:04:05.006789Z"));
        event.setLoggerName(logger);
        event.setThrown(failure);
        return new LineFormat(ZoneOffset.ofHours(1))
                .line(event, message, Thread.currentThread().getName());
    }

    private static String expected(String level, String message) {
        return "2026-01-02T04:04:05.006+01:00 " + level + " ["
                + Thread.currentThread().getName() + "] " + message + "\n";
    }

    @Test
    void aLineHasTimeLevelThreadAndMessage() {
        String name = "io.tributary.node.Some";
        assertEquals(expected("INFO ", "shard s1: {0} résumé"), line(name, Level.INFO, "shard s1: {0} résumé", null));
        assertEquals(expected("ERROR", "over"), line(name, Level.SEVERE, "over", null));
        assertEquals(expected("WARN ", "over"), line(name, Level.WARNING, "over", null));
        assertEquals(expected("DEBUG", "over"), line(name, Level.FINE, "over", null));
        assertEquals(expected("TRACE", "over"), line(name, Level.FINEST, "over", null));
    }

    @Test
    void ourOwnFailureIsLoggedWithItsStackTrace() {
        String text = line("io.tributary.node.Some", Level.SEVERE, "pipeline failed", new IOException("gone"));
        assertTrue(text.startsWith(expected("ERROR", "pipeline failed") + "java.io.IOException: gone\n\tat "), text);
    }

    @Test
    void aLibrarysFailureIsOneLine() {
        assertEquals(
                expected("WARN ", "Some: closed: java.io.IOException: reset"),
                line("io.netty.channel.Some", Level.WARNING, "closed", new IOException("reset\nby peer")));
    }

    @Test
    void theEnvironmentSetsTheLevels() throws IOException {
        Properties usual = Logging.settings(Map.of());
        assertEquals("INFO", usual.getProperty("io.tributary.level"));
        assertEquals("SEVERE", usual.getProperty("org.apache.curator.level"));

        Properties set =
                Logging.settings(Map.of("TRIBUTARY_LOG_LEVEL", "debug", "TRIBUTARY_LIBRARY_LOG_LEVEL", "INFO"));
        assertEquals("FINE", set.getProperty("io.tributary.level"));
        assertEquals("INFO", set.getProperty("org.apache.curator.level"));
        assertEquals("INFO", set.getProperty("io.grpc.level"));
        assertEquals("WARNING", set.getProperty(".level"), "loggers that are not named");
        assertEquals(usual, Logging.settings(Map.of("TRIBUTARY_LOG_LEVEL", "loud")), "not a level");
        assertNull(usual.getProperty("software.amazon.level"));
    }

    /** A process that logs a line while it is shut down, as late as possible: after handlers were closed, or after a second. */
    static final class LastLine {
        private LastLine() {}

        public static void main(String[] arguments) {
            Logging.use();
            Logger logger = LoggerFactory.getLogger("io.tributary.node.LastLine");
            logger.info("first line");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                long until = System.nanoTime() + 1_000_000_000;
                while (LogManager.getLogManager().getLogger("").getHandlers().length > 0 && System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                logger.info("last line");
            }));
        }
    }

    /** The folders and archives of these classes. */
    private static String classPath(Class<?>... classes) {
        return Arrays.stream(classes)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(place -> Path.of(URI.create(place.toString())).toString())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void whatIsLoggedDuringTheShutdownIsNotLost(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("log");
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(
                                LastLine.class,
                                Logging.class,
                                LoggerFactory.class,
                                JULServiceProvider.class,
                                TributaryException.class),
                        LastLine.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        try (ChildProcess process = ChildProcess.start(java)) {
            assertTrue(process.awaitExit(Duration.ofSeconds(60)));
        }
        String text = Files.readString(log);
        assertTrue(text.contains("first line"), text);
        assertTrue(text.contains("last line"), text);
    }
}
