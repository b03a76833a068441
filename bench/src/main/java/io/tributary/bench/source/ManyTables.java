package io.tributary.bench.source;

import java.nio.ByteBuffer;

/**
 * Transactions of one row, each in its own table.
 *
 * @param schema schema of the tables
 * @param tables number of tables
 */
public record ManyTables(String schema, long tables) implements MadeTransactions {
    private static final int VALUE = 100;

    @Override
    public long count() {
        return tables;
    }

    @Override
    public long blocks(long transaction) {
        return 1;
    }

    @Override
    public int block(long transaction, long block, ByteBuffer buf) {
        long id = 1000 + transaction;
        int at = MadeRows.tableMap(buf, 0, 1_700_000_000L, id, schema, "a_table_with_a_usual_name_" + transaction);
        return MadeRows.insert(buf, at, 1_700_000_000L, id, VALUE, true);
    }
}
