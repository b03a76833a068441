package io.tributary.collector;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ring between the collector, the workers that lay out bytes and the publisher. Slot n is laid out by worker n modulo
 * their number; the publisher takes slots in order, once all workers have passed them. The last of these stages that is
 * closed gives back what the slots still hold.
 */
final class SlotRing {
    private final RingBuffer<Slot> ring;
    private final BufferPool buffers;
    private final Sequence[] workers;
    private final Sequence publisher = new Sequence();
    private final AtomicInteger stages;
    private Slot open;
    private long openSequence;

    /** @param slots a power of two */
    SlotRing(int slots, int workers, BufferPool buffers) {
        this.ring = RingBuffer.createSingleProducer(Slot::new, slots);
        this.buffers = buffers;
        List<Sequence> sequences = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            sequences.add(new Sequence());
        }
        this.workers = sequences.toArray(new Sequence[0]);
        this.stages = new AtomicInteger(workers + 2);
        ring.addGatingSequences(publisher);
    }

    BufferPool buffers() {
        return buffers;
    }

    // ---- the collector's side

    /** Whether {@link #open()} may be called, and once more when the slot that it gives has been published. */
    boolean hasRoom() {
        return ring.hasAvailableCapacity(open == null ? 2 : 1) && buffers.hasRoom();
    }

    /** The slot that is being filled. */
    Slot open() {
        if (open == null) {
            openSequence = ring.next();
            open = ring.get(openSequence);
        }
        return open;
    }

    boolean isOpenEmpty() {
        return open == null || open.isEmpty();
    }

    /** Hands the open slot to its worker. */
    void publish() {
        if (open.count() > 0) {
            buffers.promise(Math.toIntExact(open.bytes()));
        }
        open = null;
        ring.publish(openSequence);
    }

    // ---- a worker's side

    /** The next slot of this worker, or null while there is none; {@link #pass} follows. */
    Slot next(int worker) {
        Sequence done = workers[worker];
        long published = ring.getCursor();
        for (long sequence = done.get() + 1; sequence <= published; sequence++) {
            if (sequence % workers.length == worker) {
                return ring.get(sequence);
            }
            done.set(sequence);
        }
        return null;
    }

    /** The worker is done with the slot that {@link #next} gave. */
    void pass(int worker) {
        Sequence done = workers[worker];
        done.set(done.get() + 1);
    }

    // ---- the publisher's side

    /** The next slot that is laid out, or null. */
    Slot laidOut() {
        long next = publisher.get() + 1;
        for (Sequence worker : workers) {
            if (worker.get() < next) {
                return null;
            }
        }
        return ring.get(next);
    }

    /** The slot that {@link #laidOut()} gave is sent and cleared. */
    void sent() {
        publisher.set(publisher.get() + 1);
    }

    /** Whether everything that was published has been sent; any thread. */
    boolean isDrained() {
        return publisher.get() == ring.getCursor();
    }

    // ---- the end

    /** A stage has been closed and touches no slot any more. */
    void leave() {
        if (stages.decrementAndGet() == 0) {
            for (int i = 0; i < ring.getBufferSize(); i++) {
                Slot slot = ring.get(i);
                if (slot.laidOut() != null) {
                    buffers.giveBack(slot.laidOut());
                }
                slot.clear();
            }
        }
    }
}
