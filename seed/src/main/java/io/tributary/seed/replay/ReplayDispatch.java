package io.tributary.seed.replay;

import io.tributary.replay.stream.ReplayTransaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes transactions from the reading thread to the sessions' threads, by the logical clock of MySQL's multi-threaded replica: a transaction
 * starts after all up to its last_committed have committed. If the only ones of these that have not are in one session's queue, it is added
 * to that queue, so that a stream without parallelism needs no waiting. The bytes of transactions that have not committed are limited.
 */
final class ReplayDispatch {
    private static final int MOST_QUEUED = 64;
    private static final int MOST_TOGETHER = 32;
    private static final long MOST_BYTES_TOGETHER = 256 << 10;

    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final List<Lane> lanes = new ArrayList<>();
    private long lastSequence;
    private long bytes;
    private long committed;
    private long committedBytes;
    private RuntimeException failure;
    private boolean closed;

    /** The transactions of one session that have not committed, oldest first. */
    private static final class Lane {
        private final Condition ready;
        private final Deque<ReplayTransaction> queue = new ArrayDeque<>();

        Lane(Condition ready) {
            this.ready = ready;
        }
    }

    /**
     * @param sessions the number of sessions
     * @param mostBytes of transactions that have not committed; a larger one is accepted alone
     */
    ReplayDispatch(int sessions, long mostBytes) {
        this.mostBytes = mostBytes;
        for (int i = 0; i < sessions; i++) {
            lanes.add(new Lane(lock.newCondition()));
        }
    }

    /** Adds a transaction when a session may run it; throws the error of a session. */
    void submit(ReplayTransaction transaction) {
        lock.lock();
        try {
            if (transaction.sequence() <= lastSequence) { // a file begins, or there is no logical clock
                awaitIdle();
            }
            lastSequence = transaction.sequence();
            Lane lane = lane(transaction);
            while (failure == null && lane == null) {
                await(room);
                lane = lane(transaction);
            }
            throwFailure();
            bytes += transaction.bytes();
            lane.queue.add(transaction);
            lane.ready.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The session for a transaction: the one that has all those on which it depends, else the one with the fewest. Null: not yet. */
    private Lane lane(ReplayTransaction transaction) {
        if (bytes > 0 && bytes + transaction.bytes() > mostBytes) {
            return null;
        }
        Lane needed = null;
        Lane shortest = lanes.get(0);
        for (Lane lane : lanes) {
            if (!lane.queue.isEmpty() && lane.queue.element().sequence() <= transaction.lastCommitted()) {
                if (needed != null) {
                    return null;
                }
                needed = lane;
            }
            shortest = lane.queue.size() < shortest.queue.size() ? lane : shortest;
        }
        Lane chosen = needed == null ? shortest : needed;
        return chosen.queue.size() < MOST_QUEUED ? chosen : null;
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
        while (failure == null && bytes > 0) {
            await(room);
        }
        throwFailure();
    }

    private void throwFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    /** The next transactions of a session, in their order; waits for them. Empty after {@link #close} or an error. */
    List<ReplayTransaction> take(int session) {
        lock.lock();
        try {
            Lane lane = lanes.get(session);
            while (lane.queue.isEmpty() && failure == null && !closed) {
                await(lane.ready);
            }
            List<ReplayTransaction> taken = new ArrayList<>();
            long size = 0;
            for (ReplayTransaction next : lane.queue) {
                size += next.bytes();
                if (taken.size() == MOST_TOGETHER || (size > MOST_BYTES_TOGETHER && !taken.isEmpty())) {
                    break;
                }
                taken.add(next);
            }
            return failure != null || closed ? List.of() : taken;
        } finally {
            lock.unlock();
        }
    }

    /** The transactions that a session took last have committed on the target. */
    void committed(int session, int transactions) {
        lock.lock();
        try {
            for (int i = 0; i < transactions; i++) {
                ReplayTransaction transaction = lanes.get(session).queue.remove();
                bytes -= transaction.bytes();
                count(transaction);
            }
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
            lanes.forEach(lane -> lane.ready.signalAll());
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
            lanes.forEach(lane -> lane.ready.signalAll());
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

    /** Waits once, possibly without a signal: callers check their condition in a loop. */
    @SuppressWarnings("WaitNotInLoop")
    private static void await(Condition condition) {
        try {
            condition.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted during the replay");
        }
    }
}
