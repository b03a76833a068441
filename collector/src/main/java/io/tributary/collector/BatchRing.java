package io.tributary.collector;

import io.tributary.common.pipeline.BufferPool;
import io.tributary.common.pipeline.SlotRing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ring between the collector, the workers that encode transactions, and the publisher. Slot n is encoded by worker n modulo the number of
 * workers. The publisher takes the slots in order, after all workers have passed them. The last of these stages that is closed returns the buffers
 * and payload that the slots still hold.
 */
final class BatchRing {
    private final SlotRing<Batch> ring;
    private final BufferPool buffers;
    private final AtomicInteger stages;
    private Batch open;
    private long openSequence;

    /** @param slots a power of two */
    BatchRing(int slots, int workers, BufferPool buffers) {
        this.ring = new SlotRing<>(Batch::new, slots, workers);
        this.buffers = buffers;
        this.stages = new AtomicInteger(workers + 2);
    }

    BufferPool buffers() {
        return buffers;
    }

    // ---- the collector's side

    /** Whether {@link #open()} may be called now, and twice more after the slots that it returned are published. */
    boolean hasRoom() {
        return hasSlots() && buffers.hasRoom();
    }

    /** The same, without regard to memory. */
    boolean hasSlots() {
        return ring.hasRoom(open == null ? 3 : 2);
    }

    /** The slot that is being filled. */
    Batch open() {
        if (open == null) {
            openSequence = ring.claim();
            open = ring.get(openSequence);
        }
        return open;
    }

    boolean isOpenEmpty() {
        return open == null || open.isEmpty();
    }

    /** Hands the open slot over to its worker. */
    void publish() {
        if (open.count() > 0) {
            buffers.reserve(Math.toIntExact(open.bytes()));
        }
        open = null;
        ring.publish(openSequence);
    }

    // ---- a worker's side

    /** The next slot of this worker, or null if there is none; the worker calls {@link #pass} when it is done. */
    Batch next(int worker) {
        for (long newest = ring.published(worker); newest > ring.passed(worker); newest = ring.published(worker)) {
            for (long sequence = ring.passed(worker) + 1; sequence <= newest; sequence++) {
                if (sequence % ring.workers() == worker) {
                    return ring.get(sequence);
                }
                ring.pass(worker, sequence);
            }
        }
        return null;
    }

    /** The worker is done with the slot that {@link #next} returned. */
    void pass(int worker) {
        ring.pass(worker, ring.passed(worker) + 1);
    }

    // ---- the publisher's side

    /** The next slot that is encoded, or null. */
    Batch firstEncoded() {
        long next = ring.consumed() + 1;
        return ring.passed() < next ? null : ring.get(next);
    }

    /** The slot that {@link #firstEncoded()} returned is sent and cleared. */
    void sent() {
        ring.consume(ring.consumed() + 1);
    }

    /** Whether everything that was published has been sent; any thread. */
    boolean isDrained() {
        return ring.consumed() == ring.published();
    }

    // ---- the end

    /** A stage is closed and does not touch a slot any more. */
    void stageClosed() {
        if (stages.decrementAndGet() == 0) {
            for (int i = 0; i < ring.size(); i++) {
                Batch slot = ring.get(i);
                if (slot.encoded() != null) {
                    buffers.release(slot.encoded());
                }
                slot.clear();
            }
        }
    }
}
