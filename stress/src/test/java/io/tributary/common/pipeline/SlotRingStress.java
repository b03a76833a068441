package io.tributary.common.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The ring of slots: a stage sees what the stage before it has written to a slot, in the order of the slots. */
public final class SlotRingStress {
    private SlotRingStress() {}

    /** A slot whose content is not volatile. */
    public static final class Slot {
        private int content;
    }

    private static SlotRing<Slot> ring(int slots, int workers) {
        return new SlotRing<>(Slot::new, slots, workers);
    }

    private static void fill(SlotRing<Slot> ring, int content) {
        long number = ring.claim();
        ring.get(number).content = content;
        ring.publish(number);
    }

    /** From the stage that fills slots to a worker: the number of slots that it sees, and the sum of their content. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 5", "2, 12"},
            expect = ACCEPTABLE,
            desc = "whole slots in their order")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that is not filled")
    @State
    public static class Published {
        private final SlotRing<Slot> ring = ring(4, 1);

        /** The stage that fills slots. */
        @Actor
        public void fill() {
            SlotRingStress.fill(ring, 5);
            SlotRingStress.fill(ring, 7);
        }

        /** The worker. */
        @Actor
        public void worker(II_Result result) {
            long newest = ring.published(0);
            for (long at = 0; at <= newest; at++) {
                result.r1++;
                result.r2 += ring.get(at).content;
            }
        }
    }

    /** From a worker to the consumer. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 3"},
            expect = ACCEPTABLE,
            desc = "the slot with the worker's content")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that the worker has not processed")
    @State
    public static class Passed {
        private final SlotRing<Slot> ring = ring(4, 1);

        public Passed() {
            fill(ring, 1);
        }

        /** The worker. */
        @Actor
        public void worker() {
            ring.get(0).content = 3;
            ring.pass(0, 0);
        }

        /** The consumer. */
        @Actor
        public void consumer(II_Result result) {
            if (ring.passed() >= 0) {
                result.r1 = 1;
                result.r2 = ring.get(0).content;
                ring.consume(0);
            }
        }
    }

    /** Two workers: the consumer takes a slot only after both have passed it. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 3"},
            expect = ACCEPTABLE,
            desc = "a slot that both have passed")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that one of them has not passed")
    @State
    public static class PassedByAll {
        private final SlotRing<Slot> ring = ring(4, 2);

        public PassedByAll() {
            fill(ring, 1);
        }

        /** The worker that does not process the slot. */
        @Actor
        public void other() {
            ring.pass(1, 0);
        }

        /** The worker that processes it. */
        @Actor
        public void worker() {
            ring.get(0).content = 3;
            ring.pass(0, 0);
        }

        /** The consumer. */
        @Actor
        public void consumer(II_Result result) {
            if (ring.passed() >= 0) {
                result.r1 = 1;
                result.r2 = ring.get(0).content;
            }
        }
    }

    /** From the consumer back to the stage that fills slots. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 9"},
            expect = ACCEPTABLE,
            desc = "room only for a slot that is cleared")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that is not cleared")
    @State
    public static class Consumed {
        private final SlotRing<Slot> ring = ring(1, 1);

        public Consumed() {
            SlotRingStress.fill(ring, 5);
            ring.pass(0, 0);
        }

        /** The consumer. */
        @Actor
        public void consumer() {
            ring.get(0).content = 9; // cleared
            ring.consume(0);
        }

        /** The stage that fills slots. */
        @Actor
        public void fill(II_Result result) {
            if (ring.hasRoom(1)) {
                result.r1 = 1;
                result.r2 = ring.get(ring.claim()).content;
            }
        }
    }
}
