package io.tributary.collector;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import io.tributary.common.pipeline.Wakeup;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ring between the collector, the workers that encode transactions, and the publisher. Slot n is encoded by worker n modulo the number of
 * workers. The publisher takes the slots in order, after all workers have passed them. The last of these stages that is closed returns the buffers
 * and payload that the slots still hold.
 */
final class BatchRing {
    private final RingBuffer<Batch> ring;
    private final BufferPool buffers;
    private final Sequence[] workers;
    private final Sequence publisher = new Sequence();
    private final AtomicInteger stages;
    private final Wakeup[] published; // of each worker
    private final Wakeup encoded = new Wakeup();
    private final Wakeup sent = new Wakeup();
    private Batch open;
    private long openSequence;

    /** @param slots a power of two */
    BatchRing(int slots, int workers, BufferPool buffers) {
        this.ring = RingBuffer.createSingleProducer(Batch::new, slots);
        this.buffers = buffers;
        this.workers = new Sequence[workers];
        Arrays.setAll(this.workers, worker -> new Sequence());
        this.published = new Wakeup[workers];
        Arrays.setAll(published, worker -> new Wakeup());
        this.stages = new AtomicInteger(workers + 2);
        ring.addGatingSequences(publisher);
    }

    BufferPool buffers() {
        return buffers;
    }

    // ---- the collector's side

    /** Whether {@link #open()} may be called now, and twice more after the slots that it returned are published. */
    boolean hasRoom() {
        boolean hasSlots = hasSlots();
        if (!hasSlots) {
            sent.listen();
        }
        return hasSlots && buffers.hasRoom();
    }

    /** The same, without regard to memory. */
    boolean hasSlots() {
        return ring.hasAvailableCapacity(open == null ? 3 : 2);
    }

    /** The slot that is being filled. */
    Batch open() {
        if (open == null) {
            openSequence = ring.next();
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
        for (Wakeup worker : published) {
            worker.ring();
        }
    }

    // ---- a worker's side

    /** The next slot of this worker, or null if there is none; the worker calls {@link #pass} when it is done. */
    Batch next(int worker) {
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

    /** The worker is done with the slot that {@link #next} returned. */
    void pass(int worker) {
        Sequence done = workers[worker];
        passed(done, done.get() + 1);
    }

    private void passed(Sequence done, long sequence) {
        done.set(sequence);
        encoded.ring();
    }

    // ---- the publisher's side

    /** The next slot that is encoded, or null. */
    Batch firstEncoded() {
        long next = publisher.get() + 1;
        for (Sequence worker : workers) {
            if (worker.get() < next) {
                encoded.listen();
                return null;
            }
        }
        return ring.get(next);
    }

    /** The slot that {@link #firstEncoded()} returned is sent and cleared. */
    void sent() {
        publisher.set(publisher.get() + 1);
        sent.ring();
    }

    /** Whether everything that was published has been sent; any thread. */
    boolean isDrained() {
        return publisher.get() == ring.getCursor();
    }

    // ---- the end

    /** A stage is closed and does not touch a slot any more. */
    void stageClosed() {
        if (stages.decrementAndGet() == 0) {
            for (int i = 0; i < ring.getBufferSize(); i++) {
                Batch slot = ring.get(i);
                if (slot.encoded() != null) {
                    buffers.release(slot.encoded());
                }
                slot.clear();
            }
        }
    }
}
