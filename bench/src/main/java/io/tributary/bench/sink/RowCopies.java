package io.tributary.bench.sink;

import io.tributary.testkit.server.Sql;
import java.sql.SQLException;

/** Inserts copies of the rows of {@link WideRows} into their table, with new keys, in transactions of 100 rows. */
final class RowCopies {
    private static final int ROWS_PER_TRANSACTION = 100;

    private final Sql sql;
    private final String columns;
    private long rows;

    /** Begins after the rows that the table has, a multiple of 100. */
    RowCopies(Sql sql) throws SQLException {
        this.sql = sql;
        this.columns = sql.text("SELECT GROUP_CONCAT(COLUMN_NAME ORDER BY ORDINAL_POSITION) FROM"
                + " information_schema.COLUMNS WHERE TABLE_SCHEMA = 'wide' AND TABLE_NAME = 'orders'"
                + " AND ORDINAL_POSITION > 1");
        this.rows = sql.number("SELECT COUNT(*) FROM wide.orders");
    }

    /** Inserts transactions until the table has this many rows. */
    void upTo(long all) throws SQLException {
        while (rows < all) {
            next();
        }
    }

    /** Inserts one transaction. */
    void next() throws SQLException {
        long copied = rows % WideRows.ROWS;
        sql.execute("INSERT INTO wide.orders SELECT id + " + (rows - copied) + ", " + columns
                + " FROM wide.orders WHERE id > " + copied + " AND id <= " + (copied + ROWS_PER_TRANSACTION));
        rows += ROWS_PER_TRANSACTION;
    }

    /** The rows of the table. */
    long rows() {
        return rows;
    }
}
