package io.tributary.dumper.write;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The ring of blocks: a stage sees what the stage before it has written to a block. */
public final class BlockRingStress {
    private BlockRingStress() {}

    /** From the layout to a patcher: the number of blocks that it sees, and the sum of their content. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 5", "2, 12"},
            expect = ACCEPTABLE,
            desc = "whole blocks")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a block that is not laid out")
    @State
    public static class LaidOut {
        private final BlockRing ring = new BlockRing(1, 1 << 20);

        /** The layout. */
        @Actor
        public void layout() {
            ring.claim().offset = 5;
            ring.publish();
            ring.claim().offset = 7;
            ring.publish();
        }

        /** The patcher. */
        @Actor
        public void patcher(II_Result result) {
            long newest = ring.laidOut(0);
            for (long at = 0; at <= newest; at++) {
                result.r1++;
                result.r2 += (int) ring.get(at).offset;
            }
        }
    }

    /** From a patcher to the writer. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 3"},
            expect = ACCEPTABLE,
            desc = "whole blocks")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a block that is not patched")
    @State
    public static class Patched {
        private final BlockRing ring = new BlockRing(1, 1 << 20);

        public Patched() {
            ring.claim();
            ring.publish();
        }

        /** The patcher. */
        @Actor
        public void patcher() {
            ring.get(0).gno = 3;
            ring.setPatched(0, 0);
        }

        /** The writer. */
        @Actor
        public void writer(II_Result result) {
            if (ring.patched() >= 0) {
                result.r1 = 1;
                result.r2 = (int) ring.get(0).gno;
                ring.setWritten(0);
            }
        }
    }
}
