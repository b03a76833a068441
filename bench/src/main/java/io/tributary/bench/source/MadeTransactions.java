package io.tributary.bench.source;

import java.nio.ByteBuffer;

/** Row transactions of a shard that are made while they are read: what stands between BEGIN and XID, in blocks of whole events. */
public interface MadeTransactions {
    /** How many there are. */
    long count();

    /** Table maps and rows of transaction 0 up to {@link #count()}: how many blocks it has, at least 1. */
    long blocks(long transaction);

    /**
     * Writes a block of events without checksums, from 0 on.
     *
     * @param buf 300 KiB
     * @return its bytes
     */
    int block(long transaction, long block, ByteBuffer buf);
}
