package io.tributary.bench.stage;

import com.sun.management.ThreadMXBean;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

/** Runs stages on threads of this process, and measures each thread. */
public final class StageThreads implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final StageRunner runner = new StageRunner(threads::add, (stage, cause) -> failure.set(cause));

    /**
     * The usage of threads by name.
     *
     * @param cpuNanos CPU of each thread in ns
     * @param allocatedBytes bytes that each thread has allocated on the heap
     */
    public record Usage(Map<String, Long> cpuNanos, Map<String, Long> allocatedBytes) {
        /** The usage since an earlier measurement. */
        public Usage since(Usage earlier) {
            return new Usage(
                    difference(cpuNanos, earlier.cpuNanos), difference(allocatedBytes, earlier.allocatedBytes));
        }

        private static Map<String, Long> difference(Map<String, Long> now, Map<String, Long> before) {
            Map<String, Long> difference = new LinkedHashMap<>();
            now.forEach((name, value) -> difference.put(name, value - before.getOrDefault(name, 0L)));
            return difference;
        }

        /** The CPU of all threads, or of those with this name prefix. */
        public double cpuSeconds(String prefix) {
            return sum(cpuNanos, prefix) / 1e9;
        }

        /** The allocated bytes of all threads with this name prefix. */
        public double allocated(String prefix) {
            return sum(allocatedBytes, prefix);
        }

        private static double sum(Map<String, Long> values, String prefix) {
            return values.entrySet().stream()
                    .filter(each -> each.getKey().startsWith(prefix))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    /** Creates measured threads with this name. */
    public ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            threads.add(thread);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Starts these stages on one thread, which has the name of the first stage. */
    public StageThreads together(List<? extends Stage> stages) {
        runner.onOneThread(stages);
        return this;
    }

    public StageThreads alone(Stage stage) {
        return together(List.of(stage));
    }

    public void start() {
        runner.start();
    }

    /** The usage of the threads so far. */
    public Usage usage() {
        Map<String, Long> cpu = new LinkedHashMap<>();
        Map<String, Long> allocated = new LinkedHashMap<>();
        for (Thread thread : threads) {
            cpu.merge(thread.getName(), THREADS.getThreadCpuTime(thread.getId()), Long::sum);
            allocated.merge(thread.getName(), THREADS.getThreadAllocatedBytes(thread.getId()), Long::sum);
        }
        return new Usage(cpu, allocated);
    }

    /** Throws if a stage has failed. */
    public void check() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a stage failed: " + cause.getMessage(), cause);
        }
    }

    /** Ends and closes all stages. */
    @Override
    public void close() {
        runner.close();
        check();
    }
}
