package io.tributary.collector;

import io.tributary.common.pipeline.Stage;
import io.tributary.schema.keys.KeyReader;
import java.nio.ByteBuffer;

/** A stage that encodes the transactions of its slots into pooled buffers, and releases their payload. */
public final class EncodeWorker implements Stage {
    private final String name;
    private final BatchRing ring;
    private final int worker;
    private final TransactionEncoder encoder;
    private final KeyReader keys;

    /** @param keys reads the keys of the rows; null if they are not used */
    EncodeWorker(String name, BatchRing ring, int worker, TransactionEncoder encoder, KeyReader keys) {
        this.name = name;
        this.ring = ring;
        this.worker = worker;
        this.encoder = encoder;
        this.keys = keys;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int doWork() {
        Batch slot = ring.next(worker);
        if (slot == null) {
            return 0;
        }
        if (slot.count() > 0) {
            encode(slot);
        }
        ring.pass(worker);
        return 1;
    }

    private void encode(Batch slot) {
        ByteBuffer buffer = ring.buffers().acquire(Math.toIntExact(slot.bytes()));
        int[] lengths = new int[slot.count()];
        int[] events = new int[lengths.length];
        slot.encoded(buffer, lengths, events);
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            OutputTransaction transaction = slot.transaction(i);
            int end = encoder.write(transaction, buffer, at);
            lengths[i] = end - at;
            events[i] = (int) TransactionEncoder.events(transaction);
            if (keys != null) {
                readKeys(slot, transaction, at, end);
            }
            at = end;
            transaction.release();
        }
        buffer.limit(at);
    }

    /** The bytes that were just written are in the CPU caches. */
    private void readKeys(Batch slot, OutputTransaction transaction, int at, int end) {
        if (transaction.isAlone()) {
            KeyReader.skip(slot.writeSets());
            return;
        }
        int from = at + TransactionEncoder.headLength(transaction);
        int limit = end - TransactionEncoder.tailLength(transaction);
        keys.read(transaction.plans(), transaction.planCount(), slot.encoded(), from, limit, slot.writeSets());
    }

    @Override
    public void close() {
        ring.stageClosed();
    }
}
