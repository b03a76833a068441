package io.tributary.collector;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tributary.common.value.Journal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The ring of batches: a stage sees what the stage before it has written to a slot, in the order of the slots. */
public final class BatchRingStress {
    private static final List<Journal> FIRST = new ArrayList<>();
    private static final List<Journal> SECOND = new ArrayList<>();
    private static final int UNKNOWN = 9;

    private BatchRingStress() {}

    private static BatchRing ring(int slots) {
        return new BatchRing(slots, 1, new BufferPool(1 << 20));
    }

    private static void fill(BatchRing ring, List<Journal> changes) {
        ring.open().begin(changes);
        ring.publish();
    }

    /** Which of the two contents it is; 0 for no slot. */
    private static int number(Batch slot) {
        if (slot == null) {
            return 0;
        }
        return slot.changes() == FIRST ? 1 : slot.changes() == SECOND ? 2 : UNKNOWN;
    }

    /** From the collector to a worker. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "whole slots in their order")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that is not filled, or is not the next one")
    @State
    public static class Published {
        private final BatchRing ring = ring(4);

        /** The collector. */
        @Actor
        public void collector() {
            fill(ring, FIRST);
            fill(ring, SECOND);
        }

        /** The worker. */
        @Actor
        public void worker(II_Result result) {
            result.r1 = next();
            result.r2 = next();
        }

        private int next() {
            int number = number(ring.next(0));
            if (number > 0) {
                ring.pass(0);
            }
            return number;
        }
    }

    /** From a worker to the publisher. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "the encoded slot")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that is not encoded")
    @State
    public static class Encoded {
        private final BatchRing ring = ring(4);

        public Encoded() {
            fill(ring, FIRST);
        }

        /** The worker. */
        @Actor
        public void worker() {
            ring.next(0).laidOut(ByteBuffer.allocate(1), new int[] {1}, new int[] {1});
            ring.pass(0);
        }

        /** The publisher. */
        @Actor
        public void publisher(II_Result result) {
            result.r1 = encoded();
            result.r2 = encoded();
        }

        private int encoded() {
            Batch slot = ring.laidOut();
            if (slot == null) {
                return 0;
            }
            return slot.laidOut() != null && slot.lengths()[0] == 1 && slot.events()[0] == 1 ? 1 : UNKNOWN;
        }
    }

    /** From the publisher back to the collector, which uses the slot again; then to nobody before it is published again. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "room only for a slot that is cleared")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a slot that is not cleared")
    @State
    public static class Sent {
        private static final int SLOTS = 4;
        private final BatchRing ring = ring(SLOTS);

        public Sent() {
            for (int i = 0; i < SLOTS; i++) {
                fill(ring, FIRST);
            }
            for (int i = 0; i < SLOTS; i++) {
                ring.next(0);
                ring.pass(0);
            }
        }

        /** The publisher. */
        @Actor
        public void publisher() {
            for (int i = 0; i < SLOTS - 1; i++) {
                ring.laidOut().clear();
                ring.sent();
            }
        }

        /** The collector. */
        @Actor
        public void collector(II_Result result) {
            result.r1 = opened();
            result.r2 = result.r1 == 0 ? opened() : result.r1;
        }

        private int opened() {
            if (!ring.hasSlots()) {
                return 0;
            }
            return ring.open().changes() == FIRST ? UNKNOWN : 1;
        }
    }
}
