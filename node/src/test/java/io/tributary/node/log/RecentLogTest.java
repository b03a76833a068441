package io.tributary.node.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class RecentLogTest {
    private final RecentLog log = new RecentLog();

    private void publish(String message) {
        LogRecord event = new LogRecord(Level.INFO, message);
        event.setLoggerName("io.tributary.node.Test");
        log.publish(event);
    }

    @Test
    void keepsTheNewestLinesWithinItsBounds() {
        for (int i = 0; i < 6000; i++) {
            publish("event: number=" + i);
        }
        assertEquals(5000, log.joined().lines().count());
        assertFalse(log.joined().contains("number=999\n"));
        assertTrue(log.joined().endsWith("event: number=5999\n"));
        publish("x".repeat(2 << 20));
        assertEquals(1, log.joined().lines().count(), "a line that is larger than the bound is kept alone");
        publish("last");
        assertTrue(log.joined().length() < 200, "the large line is gone");
    }
}
