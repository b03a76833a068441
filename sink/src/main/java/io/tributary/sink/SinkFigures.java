package io.tributary.sink;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What all runs of a sink have done. Any thread. */
public final class SinkFigures {
    private final LongAdder transactions = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder aborts = new LongAdder();
    private final LongAdder statements = new LongAdder();
    private final LongAdder large = new LongAdder();
    private final LongAdder memoryNanos = new LongAdder();
    private final LongAdder brokerNanos = new LongAdder();
    private volatile long held;

    /** Transactions of the stream whose messages are committed. */
    public long transactions() {
        return transactions.sum();
    }

    /** Rows whose messages were given to the producer. */
    public long rows() {
        return rows.sum();
    }

    /** Messages that were given to the producer, without the places. */
    public long messages() {
        return messages.sum();
    }

    /** Bytes of keys and values of these messages, before compression. */
    public long bytes() {
        return bytes.sum();
    }

    /** Kafka transactions, or places at least once, that were committed. */
    public long commits() {
        return commits.sum();
    }

    /** Kafka transactions that were aborted. */
    public long aborts() {
        return aborts.sum();
    }

    /** Statements that were sent. */
    public long statements() {
        return statements.sum();
    }

    /** Messages that were stored or shortened because they were too large. */
    public long large() {
        return large.sum();
    }

    /** Time for which the stream was not read because the events and messages in memory had reached their limit. */
    public double memorySeconds() {
        return seconds(memoryNanos);
    }

    /** Time for which sending waited for the brokers. */
    public double brokerSeconds() {
        return seconds(brokerNanos);
    }

    /** Bytes of events and messages in memory now. */
    public long held() {
        return held;
    }

    private static double seconds(LongAdder nanos) {
        return (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1);
    }

    // ---- the writers

    /** Messages were given to the producer. */
    public void sent(long moreRows, long moreMessages, long moreBytes) {
        rows.add(moreRows);
        messages.add(moreMessages);
        bytes.add(moreBytes);
    }

    /** A statement was sent. */
    public void sentStatement() {
        statements.increment();
    }

    /** A message was stored or shortened. */
    public void sentLarge() {
        large.increment();
    }

    /** Transactions were committed together. */
    public void committed(long moreTransactions) {
        transactions.add(moreTransactions);
        commits.increment();
    }

    /** A Kafka transaction was aborted. */
    public void aborted() {
        aborts.increment();
    }

    /** The reader has waited. */
    public void waitedForMemory(long nanos) {
        memoryNanos.add(nanos);
    }

    /** The sender has waited. */
    public void waitedForBroker(long nanos) {
        brokerNanos.add(nanos);
    }

    /** This many bytes are in memory. */
    public void held(long now) {
        held = now;
    }
}
