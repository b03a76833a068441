package io.tributary.bench.readers;

import io.tributary.bench.Distribution;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Readers at the end of a binlog that grows by one batch at a time. */
final class Followers implements AutoCloseable {
    private static final long PAUSE_NANOS = 30_000;

    private final ServedTail tail;
    private final List<Reader> readers = new ArrayList<>();

    /**
     * The result of a run.
     *
     * @param cpuMicros CPU of the server's loops in µs per MiB and reader
     * @param latencyMillis median over all readers of the time from a durable batch to the arrival of its last transaction
     */
    record Outcome(double cpuMicros, double latencyMillis) {}

    Followers(ServedTail tail, MysqlClient client, int count) {
        this.tail = tail;
        for (int id = 1; id <= count; id++) {
            readers.add(Reader.after(client, tail.endpoint(), tail.files().executed(), id));
        }
    }

    /** Writes batches, at most one per interval, each after all readers have received the one before. */
    Outcome run(int batches, long intervalNanos) throws Exception {
        List<Double> millis = new ArrayList<>();
        long bytes = bytes();
        double cpu = tail.serveSeconds();
        long next = Clock.SYSTEM.nanoTime();
        for (int i = 0; i < batches; i++) {
            while (Clock.SYSTEM.nanoTime() - next < 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            next += intervalNanos;
            tail.write();
            awaitAll(Clock.SYSTEM.nanoTime(), millis);
        }
        double mib = (bytes() - bytes) / 1048576.0;
        return new Outcome(
                (tail.serveSeconds() - cpu) * 1e6 / mib, Distribution.of(millis).quantile(0.5));
    }

    private void awaitAll(long durableNanos, List<Double> millis) {
        List<Reader> waiting = new ArrayList<>(readers);
        while (!waiting.isEmpty()) {
            boolean some = waiting.removeIf(reader -> {
                reader.poll();
                if (reader.gno() < tail.gno()) {
                    return false;
                }
                millis.add((Clock.SYSTEM.nanoTime() - durableNanos) / 1e6);
                return true;
            });
            if (!some) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private long bytes() {
        return readers.stream().mapToLong(Reader::bytes).sum();
    }

    @Override
    public void close() {
        readers.forEach(Reader::close);
    }
}
