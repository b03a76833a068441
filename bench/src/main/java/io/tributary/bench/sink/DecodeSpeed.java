package io.tributary.bench.sink;

import com.sun.management.ThreadMXBean;
import io.tributary.common.pipeline.Clock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * How fast some threads decode rows together.
 *
 * @param perSecond rows of all threads, from their common beginning to the end of the last one
 * @param cpuMicros CPU time of all threads for a row. It does not depend on other programs that use the cores, but it grows if the threads disturb each other
 */
record DecodeSpeed(double perSecond, double cpuMicros) {
    /** What one thread has done. */
    private record Share(double rows, double cpuNanos) {}

    /**
     * Measures it. Each thread decodes its part of the events once before all of them begin together.
     *
     * @param workers threads of their own
     * @param rounds how often all events are decoded; the work is the same for each number of workers
     */
    static DecodeSpeed of(List<WideRows.Event> events, int workers, int rounds)
            throws InterruptedException, ExecutionException {
        CountDownLatch ready = new CountDownLatch(workers);
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            List<Future<Share>> shares = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int from = i;
                shares.add(threads.submit(() -> {
                    DecodeLoop loop = new DecodeLoop(false);
                    var unused = loop.decode(events, from, workers);
                    ready.countDown();
                    start.await();
                    return share(() -> loop.decode(events, from, workers), rounds);
                }));
            }
            ready.await();
            long begin = Clock.SYSTEM.nanoTime();
            start.countDown();
            double rows = 0;
            double cpuNanos = 0;
            for (Future<Share> share : shares) {
                rows += share.get().rows();
                cpuNanos += share.get().cpuNanos();
            }
            double seconds = (Clock.SYSTEM.nanoTime() - begin) / 1e9;
            return new DecodeSpeed(rows / seconds, cpuNanos / 1e3 / rows);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Share share(LongSupplier decode, int rounds) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long cpu = thread.getCurrentThreadCpuTime();
        double rows = 0;
        for (int round = 0; round < rounds; round++) {
            rows += decode.getAsLong();
        }
        return new Share(rows, thread.getCurrentThreadCpuTime() - cpu);
    }
}
