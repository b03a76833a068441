package io.tributary.common.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs stages on threads of their own, several on one thread where so grouped; the only place in the product that makes
 * threads. The first failure of any stage is told once and ends all of them.
 */
public final class StageRunner implements AutoCloseable {
    private static final int SPINS = 20;
    private static final int YIELDS = 20;
    private static final long MIN_PARK_NANOS = 20_000;
    private static final long MAX_PARK_NANOS = 1_000_000;

    /** Told at most once, from the thread of the stage that failed. */
    public interface FailureListener {
        void failed(Stage stage, Throwable cause);
    }

    private final List<Thread> threads = new ArrayList<>();
    private final List<List<Stage>> groups = new ArrayList<>();
    private final ThreadFactory threadFactory;
    private final FailureListener listener;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile boolean running = true;

    public StageRunner(FailureListener listener) {
        this(Thread::new, listener);
    }

    /** @param threadFactory makes the threads; the runner names them after their stages */
    public StageRunner(ThreadFactory threadFactory, FailureListener listener) {
        this.threadFactory = threadFactory;
        this.listener = listener;
    }

    /** Gives these stages one thread together. Before {@link #start()} only. The runner closes them when it ends. */
    public StageRunner onOneThread(List<? extends Stage> stages) {
        groups.add(List.copyOf(stages));
        return this;
    }

    /** Gives this stage a thread of its own. Before {@link #start()} only. */
    public StageRunner onOwnThread(Stage stage) {
        return onOneThread(List.of(stage));
    }

    public void start() {
        for (List<Stage> group : groups) {
            Thread thread = threadFactory.newThread(() -> run(group));
            thread.setName(group.get(0).name());
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void run(List<Stage> group) {
        Stage current = group.get(0);
        try {
            int idle = 0;
            while (running) {
                int done = 0;
                for (Stage stage : group) {
                    current = stage;
                    done += stage.doWork();
                }
                idle = done > 0 ? 0 : backOff(idle);
            }
        } catch (Throwable cause) { // any failure of a stage ends the pipeline; the listener decides what follows
            fail(current, cause);
        } finally {
            for (Stage stage : group) {
                close(stage);
            }
        }
    }

    private void close(Stage stage) {
        try {
            stage.close();
        } catch (RuntimeException cause) { // the others must be closed too
            fail(stage, cause);
        }
    }

    private void fail(Stage stage, Throwable cause) {
        running = false;
        if (told.compareAndSet(false, true)) {
            listener.failed(stage, cause);
        }
    }

    private static int backOff(int idle) {
        if (idle < SPINS) {
            Thread.onSpinWait();
        } else if (idle < SPINS + YIELDS) {
            Thread.yield();
        } else {
            long nanos = MIN_PARK_NANOS << Math.min(idle - SPINS - YIELDS, 6);
            LockSupport.parkNanos(Math.min(nanos, MAX_PARK_NANOS));
        }
        return idle + 1;
    }

    /** Asks all threads to end; they close their stages. Returns at once; any thread may call it. */
    public void stop() {
        running = false;
        threads.forEach(LockSupport::unpark);
    }

    /** Stops, and waits until every stage is closed. Not to be called from a stage. */
    @Override
    public void close() {
        stop();
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
