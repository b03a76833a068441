package io.tributary.testkit.workload;

import io.tributary.common.pipeline.Clock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** The threads of a workload: each runs steps until it is stopped, all steps are done, or one step has failed. */
public final class Load {
    private final String name;
    private final int threadCount;
    private final double perSecond;
    private final Crew crew;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private CountDownLatch running = new CountDownLatch(0);
    private long limit;
    private long startNanos;
    private volatile boolean stopping;

    /** The work of one thread; created, used and closed by this thread. */
    public interface Worker extends AutoCloseable {
        void step() throws SQLException;

        @Override
        void close() throws SQLException;
    }

    /** Creates the worker of each thread, numbered from 0. */
    @FunctionalInterface
    public interface Crew {
        Worker worker(int number) throws Exception;
    }

    /** @param perSecond steps per second over all threads, 0 for no limit */
    Load(String name, int threadCount, double perSecond, Crew crew) {
        this.name = name;
        this.threadCount = threadCount;
        this.perSecond = perSecond;
        this.crew = crew;
    }

    void start(long steps) {
        if (running.getCount() > 0) {
            throw new IllegalStateException("workload " + name + " is already running");
        }
        limit = steps;
        taken.set(0);
        stopping = false;
        startNanos = Clock.SYSTEM.nanoTime();
        running = new CountDownLatch(threadCount);
        for (int i = 0; i < threadCount; i++) {
            int number = i;
            Thread thread = new Thread(() -> work(number), name + "-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void work(int number) {
        try (Worker worker = crew.worker(number)) {
            while (!stopping) {
                long step = taken.getAndIncrement();
                if (step >= limit) {
                    break;
                }
                pace(step);
                worker.step();
            }
        } catch (Exception e) {
            failure.compareAndSet(null, e);
            stopping = true;
        } finally {
            running.countDown();
        }
    }

    private void pace(long step) {
        if (perSecond <= 0) {
            return;
        }
        long due = startNanos + (long) (step / perSecond * TimeUnit.SECONDS.toNanos(1));
        for (long left = due - Clock.SYSTEM.nanoTime(); left > 0 && !stopping; left = due - Clock.SYSTEM.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
        }
    }

    /** Waits until all steps are done, one has failed, or the time has passed. */
    void awaitEnd(Duration duration) {
        try {
            if (running.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while workload " + name + " runs", e);
        }
    }

    void stop() {
        stopping = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while workload " + name + " ends", e);
        }
        threads.clear();
        Exception failed = failure.getAndSet(null);
        if (failed != null) {
            throw new IllegalStateException("workload " + name + " failed: " + failed.getMessage(), failed);
        }
    }

    /** Whether its threads run; a failure ends them. */
    public boolean isRunning() {
        return running.getCount() > 0;
    }
}
