package io.tributary.common.pipeline;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Whether a wake-up can be lost: a thread that goes to sleep, and another one that gives it work meanwhile. The results are whether it went to
 * sleep with work undone, and whether it is still marked as asleep after both: then nobody has woken it and nobody will.
 */
public final class WakeupStress {
    private WakeupStress() {}

    /** The part of a stage's thread between two turns, run by a thread of jcstress. It does not sleep: it ends where it would. */
    private static final class Sleeper {
        private final StageThread thread = new StageThread(() -> {}, "sleeper");
        private final Wakeup source;
        private boolean sleeps;

        Sleeper(Wakeup source) {
            this.source = source;
        }

        /** Polls until there is nothing left to do, or until the thread would sleep; returns whether it would sleep. */
        boolean goesToSleep(BooleanSupplier poll, int turns) {
            int done = 0;
            while (done < turns) {
                if (poll.getAsBoolean()) {
                    done++;
                    thread.worked();
                } else {
                    source.listen(thread);
                    thread.pause(this::rest);
                    if (sleeps) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** Called directly before the sleep. */
        private long rest() {
            sleeps = true;
            return 0;
        }

        boolean isAsleep() {
            return thread.isAsleep();
        }
    }

    /** The wake-up of a link, with which a thread of jcstress cannot register itself. */
    private static Wakeup wakeup(Link<?> link, String field) {
        try {
            VarHandle handle = MethodHandles.privateLookupIn(Link.class, MethodHandles.lookup())
                    .findVarHandle(Link.class, field, Wakeup.class);
            return (Wakeup) handle.get(link);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int number(boolean is) {
        return is ? 1 : 0;
    }

    /** A link's reader sleeps while its writer puts items: each put must be seen or wake the reader. */
    @JCStressTest
    @Outcome(id = "0, .", expect = ACCEPTABLE, desc = "it got both items before it slept")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was woken")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "it sleeps and there is an item: a lost wake-up")
    @State
    public static class Filled {
        private final Link<Integer> link = new Link<>("filled", 4, Clock.SYSTEM);
        private final Sleeper reader = new Sleeper(wakeup(link, "filled"));

        /** The writer. */
        @Actor
        public void writer() {
            link.put(1);
            link.put(2);
        }

        /** The reader. */
        @Actor
        public void reader(II_Result result) {
            result.r1 = number(reader.goesToSleep(() -> link.poll() != null, 2));
        }

        /** After both. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = number(reader.isAsleep() && link.depth() > 0);
        }
    }

    /** The same for the writer of a full link, which the reader empties. */
    @JCStressTest
    @Outcome(id = "0, .", expect = ACCEPTABLE, desc = "it found room before it slept")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was woken")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "it sleeps and there is room: a lost wake-up")
    @State
    public static class Emptied {
        private final Link<Integer> link = new Link<>("emptied", 1, Clock.SYSTEM);
        private final Sleeper writer = new Sleeper(wakeup(link, "emptied"));

        public Emptied() {
            link.put(1);
        }

        /** The writer. */
        @Actor
        public void writer(II_Result result) {
            result.r1 = number(writer.goesToSleep(link::hasRoom, 1));
        }

        /** The reader. */
        @Actor
        public void reader() {
            link.poll();
        }

        /** After both. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = number(writer.isAsleep() && link.depth() == 0);
        }
    }

    /** The same for a keyed link, whose items are seen only after they are flushed. */
    @JCStressTest
    @Outcome(id = "0, .", expect = ACCEPTABLE, desc = "it got the items before it slept")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was woken")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "it sleeps and there is an item: a lost wake-up")
    @State
    public static class Flushed {
        private final Link<Integer> link = Link.keyed("flushed", 4, Clock.SYSTEM);
        private final Sleeper reader = new Sleeper(wakeup(link, "filled"));

        /** The writer. */
        @Actor
        public void writer() {
            link.put(1, 1, 1);
            link.flush();
            link.put(2, 2, 2);
            link.flush();
        }

        /** The reader. */
        @Actor
        public void reader(II_Result result) {
            result.r1 = number(reader.goesToSleep(() -> link.poll() != null, 2));
        }

        /** After both. */
        @Arbiter
        public void end(II_Result result) {
            result.r2 = number(reader.isAsleep() && link.depth() > 0);
        }
    }
}
