package io.tributary.bench.source;

import java.nio.ByteBuffer;

/**
 * Some small transactions, optionally a large one, and more small ones.
 *
 * @param table name of a table in schema {@code made}
 * @param before number of small transactions before the large one
 * @param largeBytes bytes of the rows of the large one; 0 for none
 * @param after number of small transactions after the large one
 */
public record LargeTransactions(String table, int before, long largeBytes, int after) implements MadeTransactions {
    private static final long TABLE_ID = 77;
    private static final int EVENT = 8 << 10;
    private static final int EVENTS_OF_A_BLOCK = 32;
    private static final int BLOCK = EVENT * EVENTS_OF_A_BLOCK;
    private static final int SMALL_VALUE = 150;

    /** The number of rows of the large one. */
    public long largeRows() {
        return largeBlocks() * EVENTS_OF_A_BLOCK;
    }

    private long largeBlocks() {
        return (largeBytes + BLOCK - 1) / BLOCK;
    }

    @Override
    public long count() {
        return (long) before + after + (largeBytes > 0 ? 1 : 0);
    }

    private boolean isLarge(long transaction) {
        return largeBytes > 0 && transaction == before;
    }

    @Override
    public long blocks(long transaction) {
        return isLarge(transaction) ? largeBlocks() : 1;
    }

    @Override
    public int block(long transaction, long block, ByteBuffer buf) {
        int at = 0;
        if (block == 0) {
            at = MadeRows.tableMap(buf, at, seconds(), TABLE_ID, "made", table);
        }
        if (!isLarge(transaction)) {
            at = MadeRows.insert(buf, at, seconds(), TABLE_ID, SMALL_VALUE, false);
            return MadeRows.insert(buf, at, seconds(), TABLE_ID, SMALL_VALUE, true);
        }
        boolean isLast = block == largeBlocks() - 1;
        for (int i = 1; i <= EVENTS_OF_A_BLOCK; i++) {
            boolean ends = isLast && i == EVENTS_OF_A_BLOCK;
            at = MadeRows.insert(buf, at, seconds(), TABLE_ID, EVENT - MadeRows.ROWS_OVERHEAD, ends);
        }
        return at;
    }

    private static long seconds() {
        return 1_700_000_000L;
    }
}
