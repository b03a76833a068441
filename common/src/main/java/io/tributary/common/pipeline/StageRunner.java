package io.tributary.common.pipeline;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs stages on threads of their own, several on one thread where so grouped; the only place in the product that makes
 * threads. The first failure of any stage is told once and ends all of them.
 */
public final class StageRunner implements AutoCloseable {
    /** Told at most once, from the thread of the stage that failed. */
    public interface FailureListener {
        void failed(Stage stage, Throwable cause);
    }

    private final List<StageGroup> groups = new CopyOnWriteArrayList<>();
    private final Consumer<? super Thread> watcher;
    private final FailureListener listener;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile boolean running = true;

    public StageRunner(FailureListener listener) {
        this(thread -> {}, listener);
    }

    /** @param watcher shown each thread before it is started */
    public StageRunner(Consumer<? super Thread> watcher, FailureListener listener) {
        this.watcher = watcher;
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
        group.thread = new StageThread(() -> run(group), group.stages().get(0).name());
        watcher.accept(group.thread);
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
            while (running && group.letGo(this::close)) {
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
        } catch (Throwable cause) { // the others must be closed too, and whoever waits for the end be told
            fail(stage, cause);
        }
    }

    private void fail(Stage stage, Throwable cause) {
        stop();
        if (told.compareAndSet(false, true)) {
            listener.failed(stage, cause);
        }
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
