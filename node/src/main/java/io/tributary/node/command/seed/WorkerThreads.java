package io.tributary.node.command.seed;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a command that works on several connections at the same time. They end with the command. */
final class WorkerThreads implements AutoCloseable {
    private final ExecutorService executor;

    /** @param name begins the threads' names */
    WorkerThreads(String name) {
        AtomicInteger number = new AtomicInteger();
        executor = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    ExecutorService executor() {
        return executor;
    }

    /** Interrupts what still runs. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
