package io.tributary.node.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What a node logs, as people and scripts read it. */
class LineLogsTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    /** Stands still at a moment of few digits. */
    private static final class Moment implements Clock {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long epochMicros() {
            return Instant.parse("2026-01-02T03:04:05.006789Z").toEpochMilli() * 1000 + 789;
        }
    }

    private Logger logger(String name, Map<String, String> environment) {
        PrintStream out = new PrintStream(written, false, StandardCharsets.UTF_8);
        return new LineLogs(LogRules.of(environment), out, new Moment(), ZoneOffset.ofHours(1)).getLogger(name);
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private static String line(String level, String message) {
        return "2026-01-02 04:04:05.006 " + level + " ["
                + Thread.currentThread().getName() + "] " + message + "\n";
    }

    @Test
    void aLineHasTimeLevelThreadAndMessage() {
        Logger log = logger("io.tributary.node.Some", Map.of());
        log.info("shard {} of {}: résumé", "s1", 2);
        log.error("all {}", "over");
        log.debug("not told");
        assertEquals(line("INFO ", "shard s1 of 2: résumé") + line("ERROR", "all over"), text());
    }

    @Test
    void aFailureOfOursComesWithItsStack() {
        logger("io.tributary.node.Some", Map.of()).error("the failure in full", new IOException("gone"));
        assertTrue(
                text().startsWith(line("ERROR", "the failure in full") + "java.io.IOException: gone\n\tat "), text());
    }

    @Test
    void aLibrarysFailureIsOneLine() {
        logger("io.netty.channel.Some", Map.of()).warn("closed", new IOException("reset\nby peer"));
        assertEquals(line("WARN ", "Some: closed: reset"), text());
    }

    @Test
    void theEnvironmentSetsTheLevels() {
        Map<String, String> set = Map.of("TRIBUTARY_LOG_LEVEL", "debug", "TRIBUTARY_LIBRARY_LOG_LEVEL", "INFO");
        assertTrue(logger("io.tributary", set).isDebugEnabled());
        assertFalse(logger("io.tributary", set).isTraceEnabled());
        assertTrue(logger("org.apache.curator.Some", set).isInfoEnabled());
        assertFalse(logger("org.apache.curator.Some", Map.of()).isWarnEnabled());
        assertTrue(logger("io.grpc.Some", Map.of()).isWarnEnabled());
        assertFalse(logger("io.grpc.Some", Map.of()).isInfoEnabled());
        assertFalse(logger("io.tributaryelse", Map.of()).isInfoEnabled(), "another's package");
        assertFalse(logger("software.amazon", set).isInfoEnabled());
        assertTrue(logger("io.tributary", Map.of("TRIBUTARY_LOG_LEVEL", "loud")).isInfoEnabled(), "no level at all");
    }
}
