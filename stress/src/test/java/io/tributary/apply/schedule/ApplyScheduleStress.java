package io.tributary.apply.schedule;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.keys.WriteSets;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The hand-over of a batch: it can start when the one on which it depends has finished, whichever of submit and finish comes first. */
public final class ApplyScheduleStress {
    private static final Sid SID = Sid.parse("00000000-0000-0000-0000-000000000001");

    private ApplyScheduleStress() {}

    private static ApplySchedule schedule(boolean isStrict) {
        return new ApplySchedule(
                new ApplySchedule.Limits(2, 1 << 20, isStrict), new KeyWriters(), new ScheduleFigures(), Clock.SYSTEM);
    }

    private static ApplyBatch batch(long number) {
        return new ApplyBatch(number, number - 1, List.of(new ReplayTransaction(new Gtid(SID, number), 0, 0, 0)));
    }

    private static WriteSets key() {
        WriteSets sets = new WriteSets();
        sets.begin();
        sets.add(1 << 8 | WriteSets.HAS_SHARED);
        sets.end(true);
        return sets;
    }

    /** The reading thread submits a batch while the one on which it depends finishes. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the second batch can start, and the first one is applied")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a batch that never starts, or starts twice")
    @State
    public static class Dependent {
        private final ApplySchedule schedule = schedule(false);
        private final ApplyBatch first;

        public Dependent() {
            schedule.submit(batch(1), key());
            first = schedule.take(0);
        }

        /** The thread that reads the stream. */
        @Actor
        public void reader() {
            schedule.submit(batch(2), key());
        }

        /** The session. */
        @Actor
        public void session() {
            schedule.finished(first);
        }

        /** What is left. */
        @Arbiter
        public void left(II_Result result) {
            result.r1 = schedule.ready();
            result.r2 = (int) schedule.takeApplied().count();
        }
    }

    /** Two sessions finish batches, and the reading thread waits for none of them. */
    @JCStressTest
    @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "both are applied")
    @Outcome(id = ".*", expect = FORBIDDEN, desc = "a batch that is not counted")
    @State
    public static class FinishedTogether {
        private final ApplySchedule schedule = schedule(true);
        private final ApplyBatch first;
        private final ApplyBatch second;

        public FinishedTogether() {
            schedule.submit(batch(1), new WriteSets());
            schedule.submit(batch(2), new WriteSets());
            first = schedule.take(1);
            second = schedule.take(0);
        }

        /** One session. */
        @Actor
        public void one() {
            schedule.finished(first);
        }

        /** The other one. */
        @Actor
        public void other() {
            schedule.finished(second);
        }

        /** What is left. */
        @Arbiter
        public void left(II_Result result) {
            result.r1 = schedule.oldest() == null ? 0 : 1;
            result.r2 = (int) schedule.takeApplied().count();
        }
    }
}
