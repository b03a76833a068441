package io.tributary.bench.journal;

import io.tributary.bench.write.BatchFeed;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Random;

/** The output of a collector that receives many new tables: changes of the journal, one transaction, and a cut after it. */
final class JournalFeed implements Stage {
    private final Outlet<Chunk> out;
    private final Iterator<Journal> changes;
    private long chunks;
    private long change;
    private boolean hasTransaction;
    private boolean hasEnded;

    JournalFeed(Outlet<Chunk> out, Iterator<Journal> changes) {
        this.out = out;
        this.changes = changes;
    }

    @Override
    public String name() {
        return "feed";
    }

    @Override
    public int doWork() {
        if (hasEnded || !out.hasRoom()) {
            return 0;
        }
        chunks++;
        if (changes.hasNext()) {
            Journal next = changes.next();
            change = next.number();
            out.put(new Chunk.JournalMark(chunks, next));
        } else if (!hasTransaction) {
            ByteBuffer batch = BatchFeed.batch(1, new Random(1));
            BatchFeed.number(batch, 0);
            out.put(new Chunk.Batch(
                    chunks, batch, new int[] {BatchFeed.TRANSACTION}, new int[] {BatchFeed.EVENTS}, () -> {}));
            hasTransaction = true;
        } else {
            Cut cut = BatchFeed.cut(chunks, 1);
            out.put(new Chunk.CutMark(chunks, cut.behindChange(change)));
            hasEnded = true;
        }
        return 1;
    }

    @Override
    public long restNanos() {
        return POLL_REST_NANOS;
    }

    @Override
    public void close() {}
}
