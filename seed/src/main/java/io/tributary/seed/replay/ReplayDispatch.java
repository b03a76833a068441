package io.tributary.seed.replay;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes transactions from the reading thread to the sessions' threads, by the logical clock of MySQL's multi-threaded replica: a transaction
 * starts after all up to its last_committed have committed. The bytes of transactions that have not committed are limited.
 */
final class ReplayDispatch {
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Queue<ReplayTransaction> queue = new ArrayDeque<>();
    private final TreeSet<Long> active = new TreeSet<>();
    private long lastSequence;
    private long bytes;
    private long committed;
    private long committedBytes;
    private RuntimeException failure;
    private boolean closed;

    /** @param mostBytes of transactions that have not committed; a larger one is accepted alone */
    ReplayDispatch(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Adds a transaction after those on which it depends have committed; throws the error of a session. */
    void submit(ReplayTransaction transaction) {
        lock.lock();
        try {
            long sequence = transaction.sequence();
            if (sequence <= lastSequence) { // a file begins, or there is no logical clock
                awaitIdle();
            }
            lastSequence = sequence;
            while (failure == null && mustWait(transaction)) {
                await(room);
            }
            throwFailure();
            active.add(sequence);
            bytes += transaction.bytes();
            queue.add(transaction);
            ready.signal();
        } finally {
            lock.unlock();
        }
    }

    private boolean mustWait(ReplayTransaction transaction) {
        return !active.isEmpty()
                && (active.first() <= transaction.lastCommitted() || bytes + transaction.bytes() > mostBytes);
    }

    /** Waits until all transactions have committed; throws the error of a session. */
    void drain() {
        lock.lock();
        try {
            awaitIdle();
        } finally {
            lock.unlock();
        }
    }

    private void awaitIdle() {
        while (failure == null && !active.isEmpty()) {
            await(room);
        }
        throwFailure();
    }

    private void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** The next transaction; waits for it. Null after {@link #close} or an error. */
    ReplayTransaction take() {
        lock.lock();
        try {
            while (queue.isEmpty() && failure == null && !closed) {
                await(ready);
            }
            return failure != null || closed ? null : queue.remove();
        } finally {
            lock.unlock();
        }
    }

    /** A transaction has committed on the target. */
    void committed(ReplayTransaction transaction) {
        lock.lock();
        try {
            active.remove(transaction.sequence());
            bytes -= transaction.bytes();
            count(transaction);
            room.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a transaction that ran alone. */
    void committedAlone(ReplayTransaction transaction) {
        lock.lock();
        try {
            lastSequence = transaction.sequence();
            count(transaction);
        } finally {
            lock.unlock();
        }
    }

    private void count(ReplayTransaction transaction) {
        committed++;
        committedBytes += transaction.bytes();
    }

    /** A session cannot continue. */
    void fail(RuntimeException cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            ready.signalAll();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the sessions' threads after their current transactions. */
    void close() {
        lock.lock();
        try {
            closed = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Throws the error of a session, if there is one. */
    void check() {
        lock.lock();
        try {
            throwFailure();
        } finally {
            lock.unlock();
        }
    }

    /** Transactions that have committed. */
    long transactions() {
        lock.lock();
        try {
            return committed;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of their events. */
    long transactionBytes() {
        lock.lock();
        try {
            return committedBytes;
        } finally {
            lock.unlock();
        }
    }

    private static void await(Condition condition) {
        try {
            condition.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted during the replay");
        }
    }
}
