package io.tributary.collector;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.tributary.common.pipeline.Bell;
import java.util.Arrays;
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
    private final Bell[] published; // of each worker
    private final Bell laidOut = new Bell();
    private final Bell sent = new Bell();
    private Slot open;
    private long openSequence;

    /** @param slots a power of two */
    SlotRing(int slots, int workers, BufferPool buffers) {
        this.ring = RingBuffer.createSingleProducer(Slot::new, slots);
        this.buffers = buffers;
        this.workers = new Sequence[workers];
        Arrays.setAll(this.workers, worker -> new Sequence());
        this.published = new Bell[workers];
        Arrays.setAll(published, worker -> new Bell());
        this.stages = new AtomicInteger(workers + 2);
        ring.addGatingSequences(publisher);
    }

    BufferPool buffers() {
        return buffers;
    }

    // ---- the collector's side

    /** Whether {@link #open()} may be called, and twice more when the slots that it gives have been published. */
    boolean hasRoom() {
        boolean hasSlots = hasSlots();
        if (!hasSlots) {
            sent.listen();
        }
        return hasSlots && buffers.hasRoom();
    }

    /** The same, whatever memory there is. */
    boolean hasSlots() {
        return ring.hasAvailableCapacity(open == null ? 3 : 2);
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
        for (Bell worker : published) {
            worker.ring();
        }
    }

    // ---- a worker's side

    /** The next slot of this worker, or null while there is none; {@link #pass} follows. */
    Slot next(int worker) {
        Sequence done = workers[worker];
        long newest = ring.getCursor();
        for (long sequence = done.get() + 1; sequence <= newest; sequence++) {
            if (sequence % workers.length == worker) {
                return ring.get(sequence);
            }
            passed(done, sequence);
        }
        published[worker].listen();
        return null;
    }

    /** The worker is done with the slot that {@link #next} gave. */
    void pass(int worker) {
        Sequence done = workers[worker];
        passed(done, done.get() + 1);
    }

    private void passed(Sequence done, long sequence) {
        done.set(sequence);
        laidOut.ring();
    }

    // ---- the publisher's side

    /** The next slot that is laid out, or null. */
    Slot laidOut() {
        long next = publisher.get() + 1;
        for (Sequence worker : workers) {
            if (worker.get() < next) {
                laidOut.listen();
                return null;
            }
        }
        return ring.get(next);
    }

    /** The slot that {@link #laidOut()} gave is sent and cleared. */
    void sent() {
        publisher.set(publisher.get() + 1);
        sent.ring();
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
