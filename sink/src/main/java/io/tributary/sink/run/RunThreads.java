package io.tributary.sink.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The threads of a run beside the one that reads. */
final class RunThreads {
    private final ExecutorService executor;
    private final Consumer<Throwable> failed;
    private final List<Started> all = new ArrayList<>();

    /** A task; {@code begun} is set by the one who is first: its thread, or the end of the run. */
    private record Started(Future<?> future, AtomicBoolean begun, CountDownLatch ended) {}

    /** @param failed receives what a task throws */
    RunThreads(ExecutorService executor, Consumer<Throwable> failed) {
        this.executor = executor;
        this.failed = failed;
    }

    void start(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(1);
        Future<?> future = executor.submit(() -> {
            if (begun.compareAndSet(false, true)) {
                try {
                    task.run();
                } catch (Throwable e) { // the thread that reads decides
                    failed.accept(e);
                } finally {
                    ended.countDown();
                }
            }
        });
        all.add(new Started(future, begun, ended));
    }

    /** Interrupts all and returns after they have ended, also if the calling thread is interrupted. */
    void end() {
        all.forEach(started -> started.future().cancel(true));
        boolean isInterrupted = false;
        for (Started started : all) {
            boolean hasEnded = started.begun().compareAndSet(false, true);
            while (!hasEnded) {
                try {
                    started.ended().await();
                    hasEnded = true;
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
