package io.tributary.apply.schedule;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.keys.WriteSets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes batches from the thread that reads the stream to the threads of the sessions. A batch starts when all batches on which it depends are
 * finished; of those that can start, the oldest one is first. The bytes of unfinished batches are limited.
 *
 * <p>In strict order the sessions take turns: session {@code w} of {@code n} applies the batches whose number is {@code w} modulo {@code n}.
 */
public final class ApplySchedule {
    /** More unfinished batches need memory and make nothing faster. */
    private static final int MOST_FOR_SESSION = 64;

    private final boolean isStrict;
    private final long mostBytes;
    private final int mostBatches;
    private final Dependencies dependencies;
    private final ScheduleFigures figures;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** The reading thread waits for room, for the end of batches, or for an idle schedule. */
    private final Condition finished = lock.newCondition();

    private final List<Lane> lanes = new ArrayList<>();
    private final Deque<ApplyBatch> unfinished = new ArrayDeque<>();
    private GtidSet.Builder applied = GtidSet.EMPTY.toBuilder();
    private int waiting;
    private int ready;
    private int active;
    private int idle;
    private long since;
    private long lastFinish = Long.MIN_VALUE;
    private long bytes;
    private RuntimeException failure;
    private boolean isClosed;

    /** What some sessions take their batches from: in strict order each has one of its own, else all have the same. */
    private static final class Lane {
        private final Condition ready;
        private long next;
        private final PriorityQueue<ApplyBatch> batches =
                new PriorityQueue<>(Comparator.comparingLong(ApplyBatch::number));

        /** @param next the number of its first batch; 0: any */
        Lane(Condition ready, long next) {
            this.ready = ready;
            this.next = next;
        }

        boolean canStart() {
            return !batches.isEmpty() && (next == 0 || batches.element().number() == next);
        }
    }

    /**
     * The limits of a schedule.
     *
     * @param sessions at least 1
     * @param bytes of unfinished transactions; a larger one is accepted alone
     * @param isStrict whether the sessions take turns
     */
    public record Limits(int sessions, long bytes, boolean isStrict) {}

    public ApplySchedule(Limits limits, Dependencies dependencies, ScheduleFigures figures, Clock clock) {
        this.isStrict = limits.isStrict();
        this.mostBytes = limits.bytes();
        this.mostBatches = MOST_FOR_SESSION * limits.sessions();
        this.dependencies = dependencies;
        this.figures = figures;
        this.clock = clock;
        this.since = clock.nanoTime();
        figures.active(0);
        for (int i = 0; i < (isStrict ? limits.sessions() : 1); i++) {
            long first = i == 0 ? limits.sessions() : i;
            lanes.add(new Lane(lock.newCondition(), isStrict ? first : 0));
        }
    }

    // ---- the thread that reads the stream

    /** Adds a batch when there is room for it; throws the error of a session. */
    public void submit(ApplyBatch batch, WriteSets keys) {
        lock.lock();
        try {
            awaitRoom(batch);
            bytes += batch.bytes();
            unfinished.add(batch);
            dependencies.add(batch, keys, on -> {
                if (!on.isFinished()) {
                    on.dependents.add(batch);
                    batch.dependencies++;
                }
            });
            account();
            if (batch.dependencies == 0) {
                ready(batch);
            } else {
                waiting++;
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom(ApplyBatch batch) {
        throwFailure();
        if (hasRoom(batch)) {
            return;
        }
        long from = clock.nanoTime();
        while (!hasRoom(batch)) {
            await(finished);
            throwFailure();
        }
        figures.waitedForMemory(clock.nanoTime() - from);
    }

    private boolean hasRoom(ApplyBatch batch) {
        return unfinished.isEmpty() || bytes + batch.bytes() <= mostBytes && unfinished.size() < mostBatches;
    }

    /** Waits until all batches are finished; throws the error of a session. */
    public void drain() {
        lock.lock();
        try {
            throwFailure();
            if (!unfinished.isEmpty()) {
                long from = clock.nanoTime();
                while (!unfinished.isEmpty()) {
                    await(finished);
                    throwFailure();
                }
                figures.waitedForBarrier(clock.nanoTime() - from);
            }
            dependencies.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a transaction that was applied outside of the sessions, while the schedule was idle. */
    public void appliedAlone(ReplayTransaction transaction) {
        lock.lock();
        try {
            figures.committed(1, transaction.bytes());
            applied.add(transaction.gtid());
        } finally {
            lock.unlock();
        }
    }

    /** The transactions that were applied since the last call, up to the oldest unfinished one. */
    public GtidSet takeApplied() {
        lock.lock();
        try {
            GtidSet taken = applied.build();
            applied = GtidSet.EMPTY.toBuilder();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Throws the error of a session, if there is one. */
    public void check() {
        lock.lock();
        try {
            throwFailure();
        } finally {
            lock.unlock();
        }
    }

    /** The oldest unfinished transaction; null if there is none. Any thread. */
    public ReplayTransaction oldest() {
        lock.lock();
        try {
            return unfinished.isEmpty()
                    ? null
                    : unfinished.element().transactions().get(0);
        } finally {
            lock.unlock();
        }
    }

    // ---- the sessions

    /** Batches that can start and were not taken. */
    int ready() {
        lock.lock();
        try {
            return ready;
        } finally {
            lock.unlock();
        }
    }

    /** The next batch of a session, from 0; waits for it. Null after {@link #close} or an error. */
    public ApplyBatch take(int session) {
        lock.lock();
        try {
            Lane lane = lanes.get(isStrict ? session : 0);
            account();
            idle++;
            while (!lane.canStart() && failure == null && !isClosed) {
                await(lane.ready);
            }
            account();
            idle--;
            if (failure != null || isClosed) {
                return null;
            }
            ready--;
            active++;
            figures.active(active);
            lane.next += lane.next == 0 ? 0 : lanes.size();
            ApplyBatch taken = lane.batches.remove();
            taken.takenAt = since;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** A batch that was taken has committed on the target. */
    public void finished(ApplyBatch batch) {
        lock.lock();
        try {
            account();
            if (isStrict) {
                figures.waitedForTurn(lastFinish == Long.MIN_VALUE ? 0 : Math.max(0, lastFinish - batch.takenAt));
                lastFinish = since;
            }
            batch.finish();
            active--;
            bytes -= batch.bytes();
            figures.active(active);
            figures.committed(batch.transactions().size(), batch.bytes());
            for (ApplyBatch dependent : batch.dependents) {
                if (--dependent.dependencies == 0) {
                    waiting--;
                    ready(dependent);
                }
            }
            batch.dependents.clear();
            while (!unfinished.isEmpty() && unfinished.element().isFinished()) {
                unfinished.remove().transactions().forEach(each -> applied.add(each.gtid()));
            }
            finished.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a batch is the oldest unfinished one; false after {@link #close} or an error. */
    public boolean awaitOldest(ApplyBatch batch) {
        lock.lock();
        try {
            while (failure == null && !isClosed && unfinished.element() != batch) {
                await(finished);
            }
            return failure == null && !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** A session cannot continue: all end. */
    public void fail(RuntimeException cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the sessions' threads after their current batches. */
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    private void wakeAll() {
        lanes.forEach(lane -> lane.ready.signalAll());
        finished.signalAll();
    }

    private void ready(ApplyBatch batch) {
        ready++;
        Lane lane = lanes.get(isStrict ? (int) (batch.number() % lanes.size()) : 0);
        lane.batches.add(batch);
        lane.ready.signal();
    }

    /** Adds the time since the last change to what it was spent on. */
    private void account() {
        long now = clock.nanoTime();
        if (ready > 0 && idle == 0) {
            figures.waitedForSessions(now - since);
        } else if (waiting > 0 && idle > 0) {
            figures.waitedForDependencies(now - since);
        }
        since = now;
    }

    private void throwFailure() {
        if (failure != null) {
            throw failure;
        }
        if (isClosed) {
            throw new CancellationException("the schedule is closed");
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
