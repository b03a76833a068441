package io.tributary.common.pipeline;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.util.Util;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A ring of slots that are used again and again, between one stage that fills them, workers that process them in parallel, and one stage that
 * consumes them in order. The workers decide which of them processes a slot; each passes all slots. The consumer takes a slot after all workers
 * have passed it. Slots have numbers from 0. Each method is for the thread of one of these stages, unless it says otherwise; none blocks.
 */
public final class SlotRing<S> {
    private final RingBuffer<S> ring;
    private final Sequence[] workers;
    private final Sequence consumer = new Sequence();
    private final Wakeup[] published; // one for each worker
    private final Wakeup passed = new Wakeup();
    private final Wakeup consumed = new Wakeup();

    /**
     * @param slot creates a slot
     * @param slots their number, a power of two
     * @param workers their number, 1 or more
     */
    public SlotRing(Supplier<S> slot, int slots, int workers) {
        this.ring = RingBuffer.createSingleProducer(slot::get, slots, new YieldingWaitStrategy());
        this.workers = new Sequence[workers];
        Arrays.setAll(this.workers, worker -> new Sequence());
        this.published = new Wakeup[workers];
        Arrays.setAll(published, worker -> new Wakeup());
        ring.addGatingSequences(consumer);
    }

    /** The number of slots. */
    public int size() {
        return ring.getBufferSize();
    }

    /** The number of workers. */
    public int workers() {
        return workers.length;
    }

    /** The slot with a number; the stage that owns it now may change it. */
    public S get(long number) {
        return ring.get(number);
    }

    // ---- the stage that fills slots

    /** Whether this many slots may be claimed. */
    public boolean hasRoom(int slots) {
        boolean hasRoom = ring.hasAvailableCapacity(slots);
        if (!hasRoom) {
            listenForRoom();
        }
        return hasRoom;
    }

    /** Wakes the calling thread as soon as the consumer has consumed a slot. */
    public void listenForRoom() {
        consumed.listen();
    }

    /** The number of the next slot, which {@link #publish} must follow; only if {@link #hasRoom}. */
    public long claim() {
        return ring.next();
    }

    /** Passes a claimed slot to the workers. */
    public void publish(long number) {
        ring.publish(number);
        for (Wakeup worker : published) {
            worker.ring();
        }
    }

    // ---- a worker

    /** The newest published slot. */
    public long published(int worker) {
        long newest = ring.getCursor();
        if (newest == workers[worker].get()) {
            published[worker].listen();
        }
        return newest;
    }

    /** The newest slot that a worker has passed; -1 for none. */
    public long passed(int worker) {
        return workers[worker].get();
    }

    /** Passes a slot, and all slots before it, whether the worker has processed them or not. */
    public void pass(int worker, long number) {
        workers[worker].set(number);
        passed.ring();
    }

    // ---- the consumer

    /** The newest slot that all workers have passed. */
    public long passed() {
        long newest = Util.getMinimumSequence(workers);
        if (newest == consumer.get()) {
            passed.listen();
        }
        return newest;
    }

    /** Gives a slot, and all slots before it, back to the stage that fills them. */
    public void consume(long number) {
        consumer.set(number);
        consumed.ring();
    }

    // ---- any thread

    /** The newest published slot; -1 for none. */
    public long published() {
        return ring.getCursor();
    }

    /** The newest slot that is consumed; -1 for none. */
    public long consumed() {
        return consumer.get();
    }
}
