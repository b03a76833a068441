package io.tributary.collector;

import io.tributary.common.pipeline.Stage;
import java.nio.ByteBuffer;

/** Lays out the transactions of its slots into pooled buffers, and gives their payload back. */
public final class PrepareWorker implements Stage {
    private final String name;
    private final SlotRing ring;
    private final int worker;
    private final TransactionLayout layout;

    PrepareWorker(String name, SlotRing ring, int worker, TransactionLayout layout) {
        this.name = name;
        this.ring = ring;
        this.worker = worker;
        this.layout = layout;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int doWork() {
        Slot slot = ring.next(worker);
        if (slot == null) {
            return 0;
        }
        if (slot.count() > 0) {
            layOut(slot);
        }
        ring.pass(worker);
        return 1;
    }

    private void layOut(Slot slot) {
        ByteBuffer buffer = ring.buffers().take(Math.toIntExact(slot.bytes()));
        int[] lengths = new int[slot.count()];
        int[] events = new int[lengths.length];
        slot.laidOut(buffer, lengths, events);
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            OutputTransaction transaction = slot.transaction(i);
            int end = layout.write(transaction, buffer, at);
            lengths[i] = end - at;
            events[i] = (int) TransactionLayout.events(transaction);
            at = end;
            transaction.release();
        }
        buffer.limit(at);
    }

    @Override
    public void close() {
        ring.leave();
    }
}
