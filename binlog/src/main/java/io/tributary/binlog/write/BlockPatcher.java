package io.tributary.binlog.write;

import io.tributary.common.pipeline.SlotRing;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import java.util.UUID;

/** A stage that fills the blocks that the layout assigned to it. Several work in parallel; all parts of a large transaction go to one of them. */
final class BlockPatcher implements Stage {
    private final SlotRing<Block> ring;
    private final int index;
    private final TransactionPatch patch;

    BlockPatcher(SlotRing<Block> ring, int index, UUID serverUuid, long serverId) {
        this.ring = ring;
        this.index = index;
        this.patch = new TransactionPatch(serverUuid, serverId);
    }

    @Override
    public String name() {
        return "write-patch-" + (index + 1);
    }

    /** Fills at most one block of its own, so that the writer is notified of each one at once. */
    @Override
    public int doWork() {
        long end = ring.published(index);
        for (long next = ring.passed(index) + 1; next <= end; next++) {
            Block block = ring.get(next);
            boolean own = block.patcher == index;
            if (own) {
                fill(block);
            }
            ring.pass(index, next);
            if (own) {
                return 1;
            }
        }
        return 0;
    }

    private void fill(Block block) {
        if (block.chunk instanceof Chunk.Batch batch) {
            patch.batch(batch, block);
        } else if (block.chunk instanceof Chunk.Data part) {
            patch.part(part, block);
        }
        block.release();
    }

    @Override
    public void close() {}
}
