package io.tributary.bench.source;

import java.nio.ByteBuffer;

/** Generated row transactions of a shard: the events between BEGIN and XID, in blocks of complete events. */
public interface MadeTransactions {
    /** The number of transactions. */
    long count();

    /** The number of blocks with table maps and rows of a transaction (0 to before {@link #count()}), at least 1. */
    long blocks(long transaction);

    /**
     * Writes a block of events without checksums, from offset 0.
     *
     * @param buf 300 KiB
     * @return the size of the block in bytes
     */
    int block(long transaction, long block, ByteBuffer buf);
}
