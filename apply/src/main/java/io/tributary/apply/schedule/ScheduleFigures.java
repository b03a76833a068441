package io.tributary.apply.schedule;

import java.util.concurrent.TimeUnit;

/** What a schedule has done and where its time went. Nanoseconds; written with the schedule's lock, read by any thread. */
public final class ScheduleFigures {
    private volatile long transactions;
    private volatile long bytes;
    private volatile long memoryNanos;
    private volatile long barrierNanos;
    private volatile long dependencyNanos;
    private volatile long sessionNanos;
    private volatile long orderNanos;
    private volatile long retries;
    private volatile long leftOut;
    private volatile int active;

    /** Transactions that have committed on the target. */
    public long transactions() {
        return transactions;
    }

    /** Bytes of their events. */
    public long bytes() {
        return bytes;
    }

    /** Time for which the stream was not read because the transactions in memory had reached their limit. */
    public double memorySeconds() {
        return seconds(memoryNanos);
    }

    /** Time for which the stream was not read because a statement, or a transaction that is applied alone, waited for all before it. */
    public double barrierSeconds() {
        return seconds(barrierNanos);
    }

    /** Time for which sessions were idle because all waiting transactions depend on unfinished ones. */
    public double dependencySeconds() {
        return seconds(dependencyNanos);
    }

    /** Time for which a transaction could start and all sessions were busy. */
    public double sessionSeconds() {
        return seconds(sessionNanos);
    }

    /** Time for which sessions waited for their turn to commit, added over all sessions. */
    public double orderSeconds() {
        return seconds(orderNanos);
    }

    /** Attempts that were repeated after a deadlock, a lock wait timeout or a turn that did not come. */
    public long retries() {
        return retries;
    }

    /** Statements that were not executed on the target. */
    public long leftOut() {
        return leftOut;
    }

    /** Sessions that apply a batch now. */
    public int active() {
        return active;
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }

    // ---- the writers; synchronized, because the counters of earlier schedules may still be written

    synchronized void committed(long more, long moreBytes) {
        transactions += more;
        bytes += moreBytes;
    }

    synchronized void waitedForMemory(long nanos) {
        memoryNanos += nanos;
    }

    synchronized void waitedForBarrier(long nanos) {
        barrierNanos += nanos;
    }

    synchronized void waitedForDependencies(long nanos) {
        dependencyNanos += nanos;
    }

    synchronized void waitedForSessions(long nanos) {
        sessionNanos += nanos;
    }

    synchronized void waitedForTurn(long nanos) {
        orderNanos += nanos;
    }

    synchronized void active(int sessions) {
        active = sessions;
    }

    /** An attempt is repeated; any thread. */
    public synchronized void retried() {
        retries++;
    }

    /** A statement was not executed; any thread. */
    public synchronized void leftStatementOut() {
        leftOut++;
    }
}
