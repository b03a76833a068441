package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EventHeaderTest {
    @Test
    void anOffsetAboveFourGibIsFoundByItsLowerBits() {
        assertEquals(200, EventHeader.endOffset(4, 200));
        assertEquals(200, EventHeader.endOffset(200, 200));
        assertEquals(0x1_0000_0010L, EventHeader.endOffset(0xffff_fff0L, 0x10));
        assertEquals(0x1_0000_0200L, EventHeader.endOffset(0x1_0000_0010L, 0x200));
        assertEquals(0x3_0000_0001L, EventHeader.endOffset(0x2_ffff_ffffL, 1));
    }

    @Test
    void anArtificialEventDoesNotMoveTheOffset() {
        assertEquals(0x1_0000_0010L, EventHeader.endOffset(0x1_0000_0010L, 0));
    }
}
