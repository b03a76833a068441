package io.tributary.node.replica;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that work on several connections at the same time. They end with the command, or with the node. */
public final class WorkerThreads implements AutoCloseable {
    private final ExecutorService executor;

    /** @param name begins the threads' names */
    public WorkerThreads(String name) {
        AtomicInteger number = new AtomicInteger();
        executor = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Each task has a thread of its own. */
    public ExecutorService executor() {
        return executor;
    }

    /**
     * Interrupts what still runs, and waits for its end.
     *
     * @return whether all threads have ended within the time
     */
    public boolean end(Duration longest) throws InterruptedException {
        executor.shutdownNow();
        return executor.awaitTermination(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Interrupts what still runs. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
