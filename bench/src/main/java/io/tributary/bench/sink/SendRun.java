package io.tributary.bench.sink;

import io.tributary.bench.ProcessUsage;
import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.server.ChildProcess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches a process that sends rows to a topic: the topic's end is asked for every 20 ms, and the usage of the process is read when half of the rows are
 * there, and when the last message is there, after which the end does not change.
 */
final class SendRun {
    private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();
    private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LIMIT_NANOS = Duration.ofMinutes(10).toNanos();

    private static final String COMPILER = "CompilerThre";

    private final RowTopic topic;
    private final long rows;
    private final long begin;
    private ChildProcess process;

    /** A moment of the run. */
    private record Sample(long offset, long nanos, ProcessUsage used) {}

    /**
     * A run that begins now.
     *
     * @param rows that are sent
     */
    SendRun(RowTopic topic, long rows) {
        this.topic = topic;
        this.rows = rows;
        this.begin = Clock.SYSTEM.nanoTime();
    }

    /** Waits for all rows of a process that was just started. */
    SendCost of(ChildProcess started) throws InterruptedException, ExecutionException {
        process = started;
        Sample half = await(rows / 2);
        Sample last = await(rows);
        for (Sample next = sample(); next.nanos() - last.nanos() < QUIET_NANOS; next = sample()) {
            if (next.offset() > last.offset()) {
                last = next;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return new SendCost(
                new SendCost.Part(
                        rows, (last.nanos() - begin) / 1e9, last.used().cpuSeconds()),
                new SendCost.Part(
                        Math.round(rows * (1 - half.offset() / (double) last.offset())),
                        (last.nanos() - half.nanos()) / 1e9,
                        withoutCompiler(last.used().since(half.used()))),
                last.used().peakBytes());
    }

    static double withoutCompiler(ProcessUsage used) {
        double compiler = used.threadSeconds().entrySet().stream()
                .filter(thread -> thread.getKey().contains(COMPILER))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        return used.cpuSeconds() - compiler;
    }

    private Sample await(long offset) throws InterruptedException, ExecutionException {
        while (topic.end() < offset) {
            if (!process.isAlive() || Clock.SYSTEM.nanoTime() - begin > LIMIT_NANOS) {
                throw new IllegalStateException("expected " + rows + " messages in topic " + topic.name() + ", found "
                        + topic.end() + "; the process " + (process.isAlive() ? "runs" : "has ended"));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return sample();
    }

    private Sample sample() throws InterruptedException, ExecutionException {
        long offset = topic.end();
        return new Sample(offset, Clock.SYSTEM.nanoTime(), ProcessUsage.of(process.pid()));
    }
}
