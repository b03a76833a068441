package io.tributary.sink.encode;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.SlotRing;
import io.tributary.sink.SinkFigures;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The slots on their way from the reader over the workers to the sender, with a limit for their bytes. Threads that have nothing to do are parked until
 * the thread before or after them wakes them.
 */
public final class SlotFlow {
    private static final long BYTES_OF_SLOT = 512L << 10;
    private static final int FEWEST_SLOTS = 4;
    private static final int MOST_SLOTS = 64;
    /** A thread that misses its wakeup while it begins looks again. */
    private static final long LONGEST_PARK = 100_000_000;
    /** Workers that wait for each other look again after this time. */
    private static final long TURN_PARK = 200_000;

    private final SlotRing<SinkSlot> ring;
    private final long memory;
    private final SinkFigures figures;
    private final Clock clock;
    private final AtomicLong held = new AtomicLong();
    private final AtomicReferenceArray<Thread> workers;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Thread reader;
    private volatile Thread sender;
    private volatile boolean isClosed;
    private volatile boolean hasFailedSlot;
    private volatile double growth = 4; // bytes of messages for each byte of events

    /**
     * Makes the slots.
     *
     * @param memory the most bytes of events and messages, but one event and its messages have room in any case
     */
    public SlotFlow(int workers, long memory, SinkFigures figures, Clock clock) {
        int slots = (int) Math.min(MOST_SLOTS, Math.max(FEWEST_SLOTS, Long.highestOneBit(memory / BYTES_OF_SLOT)));
        this.ring = new SlotRing<>(SinkSlot::new, slots, workers);
        this.memory = memory;
        this.figures = figures;
        this.clock = clock;
        this.workers = new AtomicReferenceArray<>(workers);
    }

    // ---- any thread

    /** Ends the flow with the first error; the threads see it. */
    public void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
        wakeAll();
    }

    /** Ends the flow. */
    public void close() {
        isClosed = true;
        figures.held(0);
        wakeAll();
    }

    private void wakeAll() {
        LockSupport.unpark(reader);
        LockSupport.unpark(sender);
        for (int i = 0; i < workers.length(); i++) {
            LockSupport.unpark(workers.get(i));
        }
    }

    /** Whether it has ended. */
    public boolean hasEnded() {
        return isClosed || failure.get() != null;
    }

    /** Throws the error that ended it. */
    public void check() {
        Throwable cause = failure.get();
        if (cause instanceof RuntimeException known) {
            throw known;
        }
        if (cause != null) {
            throw new IllegalStateException(cause);
        }
    }

    private static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while the sink was running");
        }
    }

    // ---- the reader

    /** Waits for a slot, and for room for an event. */
    SinkSlot claim(int length) {
        reader = Thread.currentThread();
        long since = hasRoom(length) ? 0 : clock.nanoTime();
        while (!hasRoom(length)) {
            check();
            requireNotInterrupted();
            LockSupport.parkNanos(this, LONGEST_PARK);
        }
        if (since != 0) {
            figures.waitedForMemory(clock.nanoTime() - since);
        }
        return ring.get(ring.published() + 1);
    }

    private boolean hasRoom(int length) {
        boolean isEmpty = ring.consumed() == ring.published();
        return isEmpty || ring.hasRoom(1) && held.get() + expected(length) <= memory;
    }

    private long expected(int length) {
        return length + (long) (length * growth);
    }

    /** Passes the claimed slot to the workers. */
    void publish(SinkSlot slot) {
        slot.charge(expected(slot.used()));
        figures.held(held.addAndGet(slot.charged()));
        ring.publish(ring.claim());
        for (int i = 0; i < workers.length(); i++) {
            LockSupport.unpark(workers.get(i));
        }
    }

    // ---- a worker

    /** Encodes the slots of one worker until the flow ends. */
    public void encode(int worker, SlotEncoder encoder) {
        workers.set(worker, Thread.currentThread());
        long next = worker;
        while (!hasEnded() && !Thread.currentThread().isInterrupted()) {
            long published = ring.published(worker);
            if (published == ring.passed(worker)) {
                LockSupport.parkNanos(this, LONGEST_PARK);
                continue;
            }
            for (; next <= published && !hasEnded(); next += ring.workers()) {
                SinkSlot slot = ring.get(next);
                long number = next;
                encoder.encode(slot, () -> awaitBefore(worker, number));
                encoded(slot);
                pass(worker, next);
            }
            pass(worker, published);
        }
    }

    /** Waits until all slots before one are encoded; false if the flow ends before, or if one of them has an error. */
    private boolean awaitBefore(int worker, long number) {
        for (int other = 0; other < ring.workers(); other++) {
            long last = number - Math.floorMod(worker - other, ring.workers());
            while (other != worker && ring.passed(other) < last) {
                if (hasEnded() || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(this, TURN_PARK);
            }
        }
        return !hasFailedSlot;
    }

    private void encoded(SinkSlot slot) {
        if (slot.hasFailed()) {
            hasFailedSlot = true;
        }
        long actual = (long) slot.used() + slot.output().writerIndex();
        if (slot.used() > 0) {
            growth = (7 * growth + (double) slot.output().writerIndex() / slot.used()) / 8;
        }
        held.addAndGet(actual - slot.charged());
        slot.charge(actual);
    }

    private void pass(int worker, long number) {
        if (number > ring.passed(worker)) {
            ring.pass(worker, number);
            LockSupport.unpark(sender);
        }
    }

    // ---- the sender

    /** The next slot, null if it is not encoded within this time. */
    public SinkSlot next(long nanos) {
        sender = Thread.currentThread();
        long number = ring.consumed() + 1;
        if (ring.passed() < number) {
            LockSupport.parkNanos(this, Math.min(nanos, LONGEST_PARK));
            requireNotInterrupted();
        }
        return ring.passed() < number ? null : ring.get(number);
    }

    /** Gives the slot back to the reader. */
    public void sent(SinkSlot slot) {
        figures.held(held.addAndGet(-slot.charged()));
        slot.clear();
        ring.consume(ring.consumed() + 1);
        LockSupport.unpark(reader);
    }
}
