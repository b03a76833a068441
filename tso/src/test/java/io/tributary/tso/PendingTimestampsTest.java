package io.tributary.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A turn is granted when no smaller timestamp is open. */
class PendingTimestampsTest {
    private static final long LEASE = 100;

    private final PendingTimestamps turns = new PendingTimestamps(LEASE);
    private final List<Long> granted = new ArrayList<>();

    private PendingTimestamps.Waiting await(long tso) {
        assertTrue(turns.close(tso));
        PendingTimestamps.Waiting waiting = turns.await(tso, () -> granted.add(tso));
        turns.grantTurns();
        return waiting;
    }

    private void giveUp(long tso) {
        assertTrue(turns.close(tso));
        turns.grantTurns();
    }

    @Test
    void aTurnWaitsForEverySmallerOne() {
        turns.open(10, 4, 0);
        await(12);
        await(11);
        assertEquals(List.of(), granted);
        await(10);
        assertEquals(List.of(10L, 11L, 12L), granted);
        await(13);
        assertEquals(List.of(10L, 11L, 12L, 13L), granted);
    }

    @Test
    void aTimestampThatWasGivenUpIsNotWaitedFor() {
        turns.open(10, 2, 0);
        await(11);
        giveUp(10);
        assertEquals(List.of(11L), granted);
    }

    @Test
    void aLeaseEndsAtItsTimeAndNotBefore() {
        turns.open(10, 1, 0);
        turns.open(11, 1, 50);
        await(11);
        assertEquals(0, turns.expire(LEASE - 1));
        assertEquals(1, turns.expire(LEASE));
        turns.grantTurns();
        assertEquals(List.of(11L), granted);
        assertFalse(turns.close(10));
    }

    @Test
    void aRemovedCallerIsNotNotified() {
        turns.open(10, 2, 0);
        turns.forget(await(11));
        giveUp(10);
        assertEquals(List.of(), granted);
    }

    @Test
    void aTimestampClosesOnce() {
        turns.open(10, 1, 0);
        giveUp(10);
        assertFalse(turns.close(10));
        assertFalse(turns.close(99));
    }

    @Test
    void followsItsDefinitionInRandomRuns() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TreeMap<Long, Long> open = new TreeMap<>();
        List<Long> waiting = new ArrayList<>();
        long next = 1;
        long now = -1000;
        for (int step = 0; step < 20_000; step++) {
            now += random.nextInt(4);
            switch (random.nextInt(3)) {
                case 0 -> {
                    int count = 1 + random.nextInt(3);
                    turns.open(next, count, now);
                    for (int i = 0; i < count; i++) {
                        open.put(next++, now + LEASE);
                    }
                }
                case 1 -> {
                    long tso = open.isEmpty() ? 1 : random.nextLong(open.firstKey(), next);
                    assertEquals(open.remove(tso) != null, turns.close(tso), "seed " + seed);
                    if (random.nextBoolean()) {
                        waiting.add(tso);
                        turns.await(tso, () -> granted.add(tso));
                    }
                }
                default -> {
                    long then = now;
                    int before = open.size();
                    open.values().removeIf(end -> end <= then);
                    assertEquals(before - open.size(), turns.expire(now), "seed " + seed);
                }
            }
            turns.grantTurns();
            long lowest = open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
            List<Long> due =
                    waiting.stream().filter(tso -> tso <= lowest).sorted().toList();
            assertEquals(due, granted, "seed " + seed + ", step " + step);
            waiting.removeAll(due);
            granted.clear();
            assertEquals(open.size(), turns.count());
        }
    }
}
