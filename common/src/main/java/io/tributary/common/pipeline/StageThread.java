package io.tributary.common.pipeline;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A thread that runs stages: what it does between two turns in which there was nothing to do. It sleeps until a {@link Bell} wakes it. Where
 * that happened again and again within a millisecond, it looks by itself for a while before it sleeps: a busy pipeline is not to spend its
 * time on waking.
 *
 * <p><b>Why no wake-up is lost.</b> It says that it sleeps, and then looks again, {@value #LOOKS} times with a {@link Thread#yield}
 * between, before it does. Who brings something stores that first, and then reads whether somebody sleeps, without a fence in
 * between, for that would cost each token some 50 ns where the line is on its way between cores. So the read may be early by as long
 * as a store takes to leave its core, well below a microsecond; the looks take several. What was stored behind an early read is
 * seen by them, and every later one reads that it sleeps and wakes it, even if it does not sleep yet.
 */
final class StageThread extends Thread {
    private static final int SPINS = 20;
    private static final int YIELDS = 20;
    private static final int DOUBLINGS = 6;
    private static final long MIN_PARK_NANOS = 20_000;
    /** Looks after it has said that it sleeps. */
    static final int LOOKS = 12;
    /** A sleep below this is a short one, ns. */
    private static final long SHORT_NANOS = 1_000_000;
    /** Short sleeps in a row that make a busy thread. */
    private static final int BUSY = 4;

    private volatile boolean asleep; // or about to be; whoever wakes it takes that back
    private int idle; // turns in a row
    private int looks; // since it has said that it sleeps
    private int shortSleeps; // in a row

    StageThread(Runnable work, String name) {
        super(work, name);
    }

    /** Whether it has to be woken; any thread. */
    boolean isAsleep() {
        return asleep;
    }

    /** Has it look once more at least before it sleeps; any thread. */
    void wake() {
        asleep = false;
        LockSupport.unpark(this);
    }

    /** There was something to do. This thread only, as all that follows. */
    void worked() {
        idle = 0;
        if (asleep) {
            asleep = false;
        }
    }

    /**
     * There was nothing to do: returns when it is time to look again.
     *
     * @param rest for how long nobody need look unless woken, ns; asked right before it sleeps
     */
    void pause(LongSupplier rest) {
        int turn = idle++;
        if (shortSleeps < BUSY || turn >= SPINS + YIELDS + DOUBLINGS) {
            sleep(rest);
        } else if (turn < SPINS) {
            Thread.onSpinWait();
        } else if (turn < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(MIN_PARK_NANOS << turn - SPINS - YIELDS);
        }
    }

    private void sleep(LongSupplier rest) {
        if (!asleep) {
            asleep = true;
            VarHandle.fullFence();
            looks = 0;
        }
        if (looks < LOOKS) {
            looks++;
            Thread.yield();
            return;
        }
        long nanos = rest.getAsLong();
        if (nanos > 0) {
            long began = Clock.SYSTEM.nanoTime();
            LockSupport.parkNanos(nanos);
            boolean isShort = Clock.SYSTEM.nanoTime() - began < Math.min(SHORT_NANOS, nanos);
            shortSleeps = isShort ? Math.min(shortSleeps + 1, BUSY) : 0;
        }
    }
}
