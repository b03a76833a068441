package io.tributary.common.pipeline;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs stages on their own threads, or several on one thread if they are grouped; the only class of the product that creates
 * threads. The first failure of any stage is reported once and ends all stages.
 */
public final class StageRunner implements AutoCloseable {
    /** Receives the first failure, at most once, from the thread of the failed stage. */
    public interface FailureListener {
        void failed(Stage stage, Throwable cause);
    }

    private final List<StageGroup> groups = new CopyOnWriteArrayList<>();
    private final Consumer<? super Thread> watcher;
    private final FailureListener listener;
    private final AtomicBoolean isReported = new AtomicBoolean();
    private volatile boolean running = true;

    public StageRunner(FailureListener listener) {
        this(thread -> {}, listener);
    }

    /** @param watcher receives each thread before it is started */
    public StageRunner(Consumer<? super Thread> watcher, FailureListener listener) {
        this.watcher = watcher;
        this.listener = listener;
    }

    /** Assigns one thread to all these stages. Only before {@link #start()}. The runner closes them when it ends. */
    public StageRunner onOneThread(List<? extends Stage> stages) {
        groups.add(new StageGroup(stages));
        return this;
    }

    /** Assigns a thread to this stage. Only before {@link #start()}. */
    public StageRunner onOwnThread(Stage stage) {
        return onOneThread(List.of(stage));
    }

    public void start() {
        groups.forEach(this::makeThread);
        groups.forEach(group -> group.thread.start());
    }

    private void makeThread(StageGroup group) {
        group.thread = new StageThread(() -> run(group), group.stages().get(0).name());
        watcher.accept(group.thread);
    }

    /**
     * Runs one more stage on its own thread while the others run; any thread except a stage's.
     *
     * @throws IllegalStateException if the others have ended; the stage is then closed
     */
    public synchronized void startLater(Stage stage) {
        if (!running) {
            stage.close();
            throw new IllegalStateException(stage.name() + " cannot start: the other stages have ended");
        }
        StageGroup group = new StageGroup(List.of(stage));
        makeThread(group);
        groups.add(group);
        group.thread.start();
    }

    /** Ends one stage and waits until it is closed; the others continue, also those on its thread. Must not be called from a stage. */
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
            while (running && group.closeLeaving(this::close)) {
                int done = 0;
                for (Stage stage : group.stages()) {
                    current = stage;
                    done += stage.doWork();
                }
                if (done > 0) {
                    group.thread.worked();
                } else {
                    group.thread.pause(group::rest);
                }
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
        } catch (Throwable cause) { // the other stages must be closed too, and waiting callers notified
            fail(stage, cause);
        }
    }

    private void fail(Stage stage, Throwable cause) {
        stop();
        if (isReported.compareAndSet(false, true)) {
            listener.failed(stage, cause);
        }
    }

    /** Requests all threads to end; they close their stages. Returns at once; any thread. */
    public synchronized void stop() {
        running = false;
        groups.forEach(group -> LockSupport.unpark(group.thread));
    }

    /** Stops, and waits until every stage is closed. Must not be called from a stage. */
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
