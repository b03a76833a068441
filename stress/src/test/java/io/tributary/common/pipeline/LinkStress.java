package io.tributary.common.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A link between its writer and its reader, or a thread that reads its metrics. */
public final class LinkStress {
    private static final int NOTHING = -1;

    private LinkStress() {}

    /** An item whose content the reader sees only if the link publishes it. */
    private static final class Item {
        private int value;

        Item(int value) {
            this.value = value;
        }

        int value() {
            return value;
        }
    }

    private static int polled(Link<Item> link) {
        Item item = link.poll();
        return item == null ? NOTHING : item.value();
    }

    /** The reader gets whole items, each once, in the order of the writer. */
    @JCStressTest
    @Outcome(
            id = {"-1, -1, -1", "1, -1, -1", "-1, 1, -1", "-1, -1, 1", "1, 2, -1", "1, -1, 2", "-1, 1, 2", "1, 2, 3"},
            expect = ACCEPTABLE,
            desc = "whole items in their order")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "an item is damaged, lost, doubled or early")
    @State
    public static class Order {
        private final Link<Item> link = new Link<>("order", 4, Long.MAX_VALUE, Item::value, Clock.SYSTEM);

        /** The writer. */
        @Actor
        public void writer() {
            link.put(new Item(1));
            link.put(new Item(2));
            link.put(new Item(3));
        }

        /** The reader. */
        @Actor
        public void reader(III_Result result) {
            result.r1 = polled(link);
            result.r2 = polled(link);
            result.r3 = polled(link);
        }
    }

    /** A slot that is used again, and the weight: results are items put, items polled, and whether the rest is wrong. */
    @JCStressTest
    @Outcome(id = "[1234], [01234], 0", expect = ACCEPTABLE, desc = "what was put was polled or is still there")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "an item or weight is lost or doubled")
    @State
    public static class Room {
        private static final int WEIGHT = 10;
        private static final int ITEMS = 4;
        private static final int TRIES = 200;
        private final Link<Item> link = new Link<>("room", 1, WEIGHT, item -> WEIGHT, Clock.SYSTEM);

        /** The writer. */
        @Actor
        public void writer(III_Result result) {
            int put = 0;
            for (int i = 0; i < TRIES && put < ITEMS; i++) {
                if (link.hasRoom()) {
                    link.put(new Item(++put));
                }
            }
            result.r1 = put;
        }

        /** The reader. */
        @Actor
        public void reader(III_Result result) {
            int last = 0;
            for (int i = 0; i < TRIES && last < ITEMS; i++) {
                int value = polled(link);
                if (value == last + 1) {
                    last = value;
                } else if (value != NOTHING) {
                    result.r3 |= 1;
                }
            }
            result.r2 = last;
        }

        /** After both. */
        @Arbiter
        public void rest(III_Result result) {
            int waiting = result.r1 - result.r2;
            if (link.depth() != waiting || link.depthBytes() != (long) waiting * WEIGHT) {
                result.r3 |= 2;
            }
            for (int next = result.r2 + 1; next <= result.r1; next++) {
                if (polled(link) != next) {
                    result.r3 |= 4;
                }
            }
            if (polled(link) != NOTHING) {
                result.r3 |= 8;
            }
        }
    }

    /** The key and rank of a keyed link belong to its next item, and nothing is seen before it is flushed. */
    @JCStressTest
    @Outcome(id = "-1, -1, -1", expect = ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "an item with its key and rank")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "an item that is not flushed, or with another key or rank")
    @State
    public static class Keyed {
        private final Link<Item> link = Link.keyed("keyed", 4, Clock.SYSTEM);

        /** The writer. */
        @Actor
        public void writer() {
            link.put(new Item(1), 1, 1);
            link.flush();
            link.put(new Item(2), 2, 2);
        }

        /** The reader: its last item. */
        @Actor
        public void reader(III_Result result) {
            result.r1 = NOTHING;
            result.r2 = NOTHING;
            result.r3 = NOTHING;
            for (int turn = 0; turn < 2 && link.peek() != null; turn++) {
                result.r2 = (int) link.headKey();
                result.r3 = link.headRank();
                result.r1 = polled(link);
            }
        }
    }

    /** The time without room never decreases for a thread that reads it as a metric. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 50", "0, 120", "50, 50", "50, 120", "120, 120"},
            expect = ACCEPTABLE,
            desc = "sums of ended periods")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a sum that never was, or that decreased")
    @State
    public static class NoRoomTime {
        private final SetClock clock = new SetClock();
        private final Link<Item> link = new Link<>("time", 1, clock);

        /** The writer, and between the periods the reader. */
        @Actor
        public void writer() {
            full(101, 151);
            full(201, 271);
        }

        private void full(long from, long to) {
            link.put(new Item(1));
            clock.now = from;
            boolean isFull = !link.hasRoom();
            clock.now = to;
            link.poll();
            if (!isFull || !link.hasRoom()) {
                throw new IllegalStateException("expected a full link that is emptied");
            }
        }

        /** A thread that reads the metric. */
        @Actor
        public void metrics(JJ_Result result) {
            result.r1 = link.noRoomNanos();
            result.r2 = link.noRoomNanos();
        }
    }

    /** A clock that its owner sets. */
    private static final class SetClock implements Clock {
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long epochMicros() {
            return now;
        }
    }
}
