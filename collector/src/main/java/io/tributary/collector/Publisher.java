package io.tributary.collector;

import io.tributary.collector.writeset.DependencyTracker;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.schema.keys.WriteSets;
import java.nio.ByteBuffer;

/** A stage that sends the encoded slots in order: changes of the journal, the batch, then the large transaction in pieces, then the cut. */
public final class Publisher implements Stage {
    private static final int PIECE = 256 << 10;
    private static final int MOST_CHUNKS = 64;

    private enum Step {
        BATCH,
        LARGE,
        PIECES,
        END,
        CUT
    }

    private final String name;
    private final BatchRing ring;
    private final Outlet<Chunk> out;
    private final TransactionEncoder encoder;
    private final DependencyTracker dependencies;
    private Step step = Step.BATCH;
    private LargeTransaction large;
    private int sentChanges;
    private long chunks;

    /** @param dependencies determines last_committed of each transaction; null to leave it as it is */
    Publisher(
            String name,
            BatchRing ring,
            Outlet<Chunk> out,
            TransactionEncoder encoder,
            DependencyTracker dependencies) {
        this.name = name;
        this.ring = ring;
        this.out = out;
        this.encoder = encoder;
        this.dependencies = dependencies;
    }

    @Override
    public String name() {
        return name;
    }

    /** Whether all transactions that were ordered have been sent, so that the collector only waits for tokens; any thread. */
    public boolean isDrained() {
        return ring.isDrained();
    }

    @Override
    public int doWork() {
        int done = 0;
        for (Batch slot = ring.firstEncoded(); slot != null && done < MOST_CHUNKS; slot = ring.firstEncoded()) {
            if (!out.hasRoom()) {
                break;
            }
            send(slot);
            done++;
        }
        return done;
    }

    /** Sends at most one chunk. */
    private void send(Batch slot) {
        switch (step) {
            case BATCH -> {
                if (sentChanges < slot.changes().size()) {
                    out.put(new Chunk.JournalMark(++chunks, slot.changes().get(sentChanges++)));
                    return;
                }
                batch(slot);
                step = slot.large() == null ? Step.CUT : Step.LARGE;
            }
            case LARGE -> {
                if (dependencies != null) {
                    slot.large()
                            .setLastCommitted(dependencies.alone(slot.large().number()));
                }
                large = new LargeTransaction(slot.large(), encoder);
                out.put(new Chunk.Begin(++chunks, large.length(), large.events()));
                step = Step.PIECES;
            }
            case PIECES -> {
                piece();
                step = large.isAtEnd() ? Step.END : Step.PIECES;
            }
            case END -> {
                large.close();
                large = null;
                out.put(new Chunk.End(++chunks));
                step = Step.CUT;
            }
            case CUT -> {
                if (slot.cut() != null) {
                    out.put(new Chunk.CutMark(++chunks, slot.cut()));
                }
                sentChanges = 0;
                slot.clear();
                ring.sent();
                step = Step.BATCH;
            }
        }
    }

    private void batch(Batch slot) {
        ByteBuffer buffer = slot.encoded();
        if (buffer != null) {
            int[] lengths = slot.lengths();
            int[] events = slot.events();
            if (dependencies != null) {
                setDependencies(slot, buffer, lengths);
            }
            slot.handedOver();
            out.put(new Chunk.Batch(
                    ++chunks, buffer, lengths, events, () -> ring.buffers().release(buffer)));
        }
    }

    private void setDependencies(Batch slot, ByteBuffer buffer, int[] lengths) {
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            OutputTransaction transaction = slot.transaction(i);
            GtidEvent.setLogicalClock(
                    buffer, at, lastCommitted(transaction, slot.writeSets(), i), transaction.number());
            at += lengths[i];
        }
    }

    private long lastCommitted(OutputTransaction transaction, WriteSets sets, int place) {
        long number = transaction.number();
        if (transaction.isSeparate()) {
            dependencies.separate(number);
        }
        if (!sets.isKnown(place)) {
            return dependencies.alone(number);
        }
        return dependencies.byKeys(
                number, sets, place, transaction.lastCommitted(), transaction.dependsAsShardsReport());
    }

    private void piece() {
        ByteBuffer buffer = ring.buffers().take(PIECE);
        buffer.limit(large.fill(buffer, PIECE));
        out.put(new Chunk.Data(++chunks, buffer, () -> ring.buffers().release(buffer)));
    }

    @Override
    public void close() {
        if (large != null) {
            large.close();
            large = null;
        }
        ring.stageClosed();
    }
}
