package io.tributary.sink.run;

import io.tributary.sink.SinkPlan;
import java.util.concurrent.TimeUnit;

/** What was sent since the last place, and when the next one is due. For one thread. */
final class CommitWindow {
    /** Transactions without messages need no place soon. */
    private static final long EMPTY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Another sink of this name sees by it that this one is running. */
    private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** For the next slot, in nanoseconds. */
    static final long MOST_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

    private final SinkPlan.Commit limits;
    private long messages;
    private long bytes;
    private long transactions;
    private boolean hasStatement;
    private long since;
    private long emptiedAt;

    CommitWindow(SinkPlan.Commit limits, long now) {
        this.limits = limits;
        this.emptiedAt = now;
    }

    void sent(long moreMessages, long moreBytes, long now) {
        if (messages == 0) {
            since = now;
        }
        messages += moreMessages;
        bytes += moreBytes;
    }

    void statement() {
        hasStatement = true;
    }

    void transaction() {
        transactions++;
    }

    long transactions() {
        return transactions;
    }

    boolean hasStatements() {
        return hasStatement;
    }

    /** Whether there are messages or transactions. */
    boolean isEmpty() {
        return messages == 0 && transactions == 0;
    }

    /** How long the first message is sent; 0 if there is none. */
    long openNanos(long now) {
        return messages == 0 ? 0 : now - since;
    }

    boolean isDue(long now) {
        if (messages == 0) {
            return now - emptiedAt >= (transactions > 0 ? EMPTY_NANOS : KEEP_ALIVE_NANOS);
        }
        return hasStatement
                || messages >= limits.rows()
                || bytes >= limits.bytes()
                || now - since >= limits.interval().toNanos();
    }

    /** How long to wait for more. */
    long waitNanos(long now) {
        long left = messages == 0 ? MOST_WAIT : since + limits.interval().toNanos() - now;
        return Math.min(MOST_WAIT, Math.max(1, left));
    }

    void clear(long now) {
        messages = 0;
        bytes = 0;
        transactions = 0;
        hasStatement = false;
        emptiedAt = now;
    }
}
