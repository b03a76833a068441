package io.tributary.common.pipeline;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A thread that runs stages, and its behaviour between two turns without work. It sleeps until a {@link Wakeup} wakes it. If it was woken
 * several times in a row within a millisecond, it polls for a while before it sleeps, so that a busy pipeline does not spend its
 * time on wake-ups.
 *
 * <p><b>Why no wake-up is lost.</b> The thread first marks itself as asleep, and then polls again, {@value #POLLS} times with a
 * {@link Thread#yield} between, before it sleeps. A producer stores its item first, and then reads whether the thread is asleep, without
 * a fence between, because a fence would cost about 50 ns per token while the cache line moves between cores. So the read may happen
 * too early, by the time that a store takes to leave its core, well below a microsecond; the polls take several microseconds. They see
 * what was stored after an early read; every later read sees the mark and wakes the thread, even if it does not sleep yet.
 */
final class StageThread extends Thread {
    private static final int SPINS = 20;
    private static final int YIELDS = 20;
    private static final int DOUBLINGS = 6;
    private static final long MIN_PARK_NANOS = 20_000;
    /** Polls after the thread has marked itself as asleep. */
    static final int POLLS = 12;
    /** A sleep below this is short, ns. */
    private static final long SHORT_NANOS = 1_000_000;
    /** Number of short sleeps in a row after which the thread is busy. */
    private static final int BUSY = 4;

    private volatile boolean asleep; // or about to sleep; the thread that wakes it resets it
    private int idle; // turns in a row
    private int polls; // polls since it marked itself as asleep
    private int shortSleeps; // in a row

    StageThread(Runnable work, String name) {
        super(work, name);
    }

    /** Whether it must be woken; any thread. */
    boolean isAsleep() {
        return asleep;
    }

    /** Makes it poll at least once more before it sleeps; any thread. */
    void wake() {
        asleep = false;
        LockSupport.unpark(this);
    }

    /** Records a turn with work. For this thread only, like all methods below. */
    void worked() {
        idle = 0;
        if (asleep) {
            asleep = false;
        }
    }

    /**
     * Records a turn without work: returns when the stages are to be called again.
     *
     * @param rest the time in ns for which no stage need be called unless woken; called directly before it sleeps
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
            polls = 0;
        }
        if (polls < POLLS) {
            polls++;
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
