package io.tributary.bench.latency;

import io.tributary.bench.Distribution;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** The commit and arrival times of each transaction, by its number: nanoseconds of one clock, 0 for not yet. */
final class CommitTimes {
    private final AtomicLongArray sent;
    private final AtomicLongArray acknowledged;
    private final AtomicLongArray arrived;
    private final AtomicLongArray arrivedDirectly;

    CommitTimes(int transactions) {
        sent = new AtomicLongArray(transactions);
        acknowledged = new AtomicLongArray(transactions);
        arrived = new AtomicLongArray(transactions);
        arrivedDirectly = new AtomicLongArray(transactions);
    }

    int transactions() {
        return sent.length();
    }

    /** Notes that COMMIT is sent now. */
    void sent(int number, long nanos) {
        sent.set(number, nanos);
    }

    /** Notes that the shard's OK was received. */
    void acknowledged(int number, long nanos) {
        acknowledged.set(number, nanos);
    }

    /** Notes that the node's reader has the complete transaction. */
    void arrived(int number, long nanos) {
        arrived.set(number, nanos);
    }

    /** Notes that the reader of the shard has the complete transaction. */
    void arrivedDirectly(int number, long nanos) {
        arrivedDirectly.set(number, nanos);
    }

    /** Whether all times of the transactions up to this one are known. */
    boolean isComplete(int end) {
        return IntStream.range(0, end)
                .allMatch(i -> acknowledged.get(i) != 0 && arrived.get(i) != 0 && arrivedDirectly.get(i) != 0);
    }

    /** Milliseconds from before COMMIT was sent to the arrival at the node's reader. */
    Distribution throughNode(int from, int end) {
        return millis(sent, arrived, from, end);
    }

    /** Milliseconds from the shard's OK to the arrival at the node's reader. */
    Distribution afterAcknowledgement(int from, int end) {
        return millis(acknowledged, arrived, from, end);
    }

    /** Milliseconds from before COMMIT was sent to the arrival at the reader of the shard. */
    Distribution direct(int from, int end) {
        return millis(sent, arrivedDirectly, from, end);
    }

    private static Distribution millis(AtomicLongArray begin, AtomicLongArray end, int from, int to) {
        return Distribution.of(IntStream.range(from, to)
                .mapToDouble(i -> (end.get(i) - begin.get(i)) / 1e6)
                .toArray());
    }
}
