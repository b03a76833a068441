package io.tributary.apply.schedule;

import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.keys.WriteSets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Dependencies by last_committed and sequence_number of the stream: a batch depends on all unfinished batches up to the last_committed of its
 * transactions. The numbers begin again with each file of the stream: its first batch depends on all before it, and all others of the file on that one.
 */
public final class StreamClock implements Dependencies {
    private final Deque<Clocked> live = new ArrayDeque<>();
    private long lastSequence;

    /**
     * A batch.
     *
     * @param first its first number in its last file; 0 if it begins in the file before
     */
    private record Clocked(ApplyBatch batch, long first) {}

    @Override
    public void add(ApplyBatch batch, WriteSets keys, Consumer<ApplyBatch> dependsOn) {
        while (!live.isEmpty() && live.element().batch().isFinished()) {
            live.remove();
        }
        long upTo = -1;
        long first = batch.transactions().get(0).sequence();
        for (ReplayTransaction transaction : batch.transactions()) {
            boolean isFirst = transaction.sequence() <= lastSequence; // a file begins, or there is no logical clock
            lastSequence = transaction.sequence();
            first = isFirst ? 0 : first;
            upTo = isFirst || transaction.lastCommitted() == 0
                    ? Long.MAX_VALUE
                    : Math.max(upTo, transaction.lastCommitted());
        }
        for (Clocked earlier : live) {
            if (earlier.first() <= upTo) {
                dependsOn.accept(earlier.batch());
            }
        }
        live.add(new Clocked(batch, first));
    }

    @Override
    public void clear() {
        live.clear();
        lastSequence = 0;
    }
}
