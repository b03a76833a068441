package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Slots go from the stage that fills them over all workers to the consumer, and back. */
class SlotRingTest {
    private final SlotRing<int[]> ring = new SlotRing<>(() -> new int[1], 4, 2);

    @Test
    void theConsumerTakesASlotAfterAllWorkersHavePassedIt() {
        long number = ring.claim();
        ring.get(number)[0] = 7;
        assertEquals(-1, ring.published(0));
        ring.publish(number);
        assertEquals(0, ring.published(0));
        ring.pass(0, 0);
        assertEquals(-1, ring.passed());
        ring.pass(1, 0);
        assertEquals(0, ring.passed());
        assertEquals(7, ring.get(0)[0]);
        assertEquals(-1, ring.consumed());
        ring.consume(0);
        assertEquals(ring.published(), ring.consumed());
    }

    @Test
    void aConsumedSlotIsUsedAgain() {
        int[] first = ring.get(0);
        for (int i = 0; i < 4; i++) {
            ring.publish(ring.claim());
        }
        assertFalse(ring.hasRoom(1));
        ring.pass(0, 3);
        ring.pass(1, 3);
        assertFalse(ring.hasRoom(1));
        ring.consume(1);
        assertTrue(ring.hasRoom(2));
        assertFalse(ring.hasRoom(3));
        assertEquals(4, ring.claim());
        assertSame(first, ring.get(4));
    }
}
