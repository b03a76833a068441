package io.tributary.common.pipeline;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private static final int MOST_DOUBLINGS = 6;

    /** Told at most once, from the thread of the stage that failed. */
    public interface FailureListener {
        void failed(Stage stage, Throwable cause);
    }

    private final List<StageGroup> groups = new CopyOnWriteArrayList<>();
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
        groups.add(new StageGroup(stages));
        return this;
    }

    /** Gives this stage a thread of its own. Before {@link #start()} only. */
    public StageRunner onOwnThread(Stage stage) {
        return onOneThread(List.of(stage));
    }

    public void start() {
        groups.forEach(this::makeThread);
        groups.forEach(group -> group.thread.start());
    }

    private void makeThread(StageGroup group) {
        Thread thread = threadFactory.newThread(() -> run(group));
        thread.setName(group.stages().get(0).name());
        group.thread = thread;
    }

    /**
     * Runs one more stage, on a thread of its own, while the others run; any thread but a stage's may ask.
     *
     * @throws IllegalStateException when the others have ended; the stage is closed then
     */
    public synchronized void startLater(Stage stage) {
        if (!running) {
            stage.close();
            throw new IllegalStateException(stage.name() + " comes too late: the others have ended");
        }
        StageGroup group = new StageGroup(List.of(stage));
        makeThread(group);
        groups.add(group);
        group.thread.start();
    }

    /** Ends one stage and waits until it is closed; the others go on, those on its thread too. Not to be called from a stage. */
    public void end(Stage stage) {
        List<StageGroup> its =
                groups.stream().filter(group -> group.stages().contains(stage)).toList();
        for (StageGroup group : its) {
            group.leave(stage).join();
        }
        List<StageGroup> empty =
                its.stream().filter(group -> group.stages().isEmpty()).toList();
        join(empty);
        groups.removeAll(empty);
    }

    private void run(StageGroup group) {
        Stage current = group.stages().get(0);
        try {
            int idle = 0;
            while (running && group.letGo(this::close)) {
                int done = 0;
                for (Stage stage : group.stages()) {
                    current = stage;
                    done += stage.doWork();
                }
                idle = done > 0 ? 0 : backOff(group, idle);
            }
        } catch (Throwable cause) { // any failure of a stage ends the pipeline; the listener decides what follows
            fail(current, cause);
        } finally {
            group.end(this::close);
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
        stop();
        if (told.compareAndSet(false, true)) {
            listener.failed(stage, cause);
        }
    }

    /** A thread that is unparked before it parks does not park: what a stage notes in restNanos is looked at by who wakes it. */
    private static int backOff(StageGroup group, int idle) {
        if (idle < SPINS) {
            Thread.onSpinWait();
        } else if (idle < SPINS + YIELDS) {
            Thread.yield();
        } else {
            int doublings = idle - SPINS - YIELDS;
            long nanos = MIN_PARK_NANOS << Math.min(doublings, MOST_DOUBLINGS);
            LockSupport.parkNanos(doublings < MOST_DOUBLINGS ? Math.min(nanos, Stage.USUAL_REST_NANOS) : rest(group));
        }
        return idle + 1;
    }

    private static long rest(StageGroup group) {
        long rest = Long.MAX_VALUE;
        for (Stage stage : group.stages()) {
            rest = Math.min(rest, stage.restNanos());
        }
        return rest;
    }

    /** Asks all threads to end; they close their stages. Returns at once; any thread may call it. */
    public synchronized void stop() {
        running = false;
        groups.forEach(group -> LockSupport.unpark(group.thread));
    }

    /** Stops, and waits until every stage is closed. Not to be called from a stage. */
    @Override
    public void close() {
        stop();
        join(groups);
    }

    private static void join(List<StageGroup> groups) {
        boolean interrupted = false;
        for (StageGroup group : groups) {
            while (group.thread != null && group.thread.isAlive()) {
                try {
                    group.thread.join();
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
