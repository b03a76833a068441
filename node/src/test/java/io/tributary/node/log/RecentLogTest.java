package io.tributary.node.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RecentLogTest {
    private final RecentLog log = new RecentLog();

    @Test
    void keepsTheNewestLinesWithinItsBounds() {
        for (int i = 0; i < 6000; i++) {
            log.add("event: number=" + i + "\n");
        }
        assertEquals(5000, log.joined().lines().count());
        assertFalse(log.joined().contains("number=999\n"));
        assertTrue(log.joined().endsWith("event: number=5999\n"));
        log.add("x".repeat(2 << 20) + "\n");
        assertEquals(1, log.joined().lines().count(), "a line that is larger than the bound is kept alone");
        log.add("last\n");
        assertTrue(log.joined().length() < 200, "the large line is gone");
    }
}
