package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounded queue between two stages. */
class LinkTest {
    /** A clock that the test sets. */
    private static final class HandClock implements Clock {
        private long nanos;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long epochMicros() {
            return nanos / 1000;
        }
    }

    private final HandClock clock = new HandClock();

    @Test
    void returnsItemsInTheOrderInWhichTheyWerePut() {
        Link<Integer> link = new Link<>("l", 3, clock);
        for (int i = 0; i < 100; i++) {
            assertTrue(link.hasRoom());
            link.put(i);
            assertEquals(i, link.peek());
            assertEquals(i, link.poll());
            assertNull(link.poll());
        }
        assertEquals(100, link.passed());
    }

    @Test
    void hasNoRoomAtItsCapacityInItemsAndRefusesAPut() {
        Link<Integer> link = new Link<>("l", 3, clock);
        for (int i = 0; i < 3; i++) {
            assertTrue(link.hasRoom());
            link.put(i);
        }
        assertFalse(link.hasRoom());
        assertThrows(IllegalStateException.class, () -> link.put(3));
        link.poll();
        assertTrue(link.hasRoom());
        assertEquals(2, link.depth());
    }

    @Test
    void oneItemOfAnySizePassesButNoneAfterItUntilItIsRead() {
        Link<String> link = new Link<>("l", 100, 10, String::length, clock);
        assertTrue(link.hasRoom());
        link.put("much longer than ten");
        assertEquals(20, link.depthBytes());
        assertFalse(link.hasRoom());
        link.poll();
        assertEquals(0, link.depthBytes());
        assertTrue(link.hasRoom());
    }

    @Test
    void countsTheTimeInWhichAWriterFoundNoRoom() {
        Link<Integer> link = new Link<>("l", 1, clock);
        link.put(1);
        clock.nanos = 1001;
        assertFalse(link.hasRoom());
        clock.nanos = 5001;
        assertFalse(link.hasRoom());
        link.poll();
        assertTrue(link.hasRoom());
        assertEquals(4000, link.noRoomNanos());
    }

    @Test
    @Timeout(30)
    void carriesAMillionItemsBetweenTwoThreadsInOrder() throws InterruptedException {
        Link<Integer> link = new Link<>("l", 64, 1000, i -> i & 63, Clock.SYSTEM);
        int count = 1_000_000;
        Thread writer = new Thread(() -> {
            for (int i = 0; i < count; ) {
                if (link.hasRoom()) {
                    link.put(i++);
                } else {
                    Thread.onSpinWait();
                }
            }
        });
        writer.start();
        for (int expected = 0; expected < count; ) {
            Integer item = link.poll();
            if (item == null) {
                Thread.onSpinWait();
            } else {
                assertEquals(expected++, item);
            }
        }
        writer.join(TimeUnit.SECONDS.toMillis(10));
        assertEquals(0, link.depthBytes());
    }

    @Test
    @Timeout(30)
    void aKeyedLinkReturnsTheNextItemsKeyAndRankToItsReader() throws InterruptedException {
        Link<Integer> link = Link.keyed("l", 64, Clock.SYSTEM);
        assertTrue(link.isKeyed());
        assertThrows(IllegalStateException.class, () -> link.put(1));
        int count = 300_000;
        Thread writer = new Thread(() -> {
            for (int i = 0; i < count; ) {
                if (link.hasRoom()) {
                    link.put(i, 3L * i, -i);
                    i++;
                } else {
                    Thread.onSpinWait();
                }
            }
            link.flush();
        });
        writer.start();
        for (int expected = 0; expected < count; ) {
            if (link.peek() == null) {
                Thread.onSpinWait();
                continue;
            }
            assertEquals(3L * expected, link.headKey());
            assertEquals(-expected, link.headRank());
            assertEquals(expected++, link.poll());
        }
        writer.join(TimeUnit.SECONDS.toMillis(10));
        for (int i = 0; i < 64; i++) {
            link.put(i, i, i);
        }
        assertThrows(IllegalStateException.class, () -> link.put(64, 64, 64));
        assertEquals(0, link.headKey(), "a put without room has changed nothing");
    }

    @Test
    void aKeyedLinkPublishesItemsInGroups() {
        Link<Integer> link = Link.keyed("l", 1000, Clock.SYSTEM);
        for (int i = 0; i < 70; i++) {
            link.put(i, i, i);
        }
        for (int i = 0; i < 64; i++) {
            assertEquals(i, link.poll());
        }
        assertNull(link.poll());
        assertEquals(0, link.depth());
        link.flush();
        assertEquals(6, link.depth());
        for (int i = 64; i < 70; i++) {
            assertEquals(i, link.poll());
        }
        link.flush();
        assertNull(link.peek());
    }

    @Test
    void aFullKeyedLinkPublishesAllItsItems() {
        Link<Integer> link = Link.keyed("l", 2, Clock.SYSTEM);
        link.put(1, 1, 1);
        link.put(2, 2, 2);
        assertNull(link.peek());
        assertFalse(link.hasRoom());
        assertEquals(1, link.poll());
        assertTrue(link.hasRoom());
        link.put(3, 3, 3);
        assertEquals(2, link.poll());
        assertNull(link.poll());
    }
}
