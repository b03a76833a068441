package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Offsets above 4 GiB, at which log_pos wraps. */
class EventPositionTest {
    @Test
    void followsAFileOverFourGibibytes() {
        EventPosition position = new EventPosition();
        position.enter("binlog.000007", 4);
        position.advance(0xffff_fff0L, 100);
        assertEquals(0xffff_fff0L, position.end());
        position.advance(84, 100);
        assertEquals((1L << 32) + 84, position.end());
        assertEquals((1L << 32) - 16, position.start());
        assertEquals("binlog.000007:4294967280", position.toString());
    }

    @Test
    void doesNotMoveForEventsThatAreNotInTheFile() {
        EventPosition position = new EventPosition();
        position.enter("binlog.000007", 4);
        position.advance(0, 100);
        assertEquals(4, position.end());
        assertEquals(4, position.start());
    }
}
