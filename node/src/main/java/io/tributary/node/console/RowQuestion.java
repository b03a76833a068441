package io.tributary.node.console;

import java.util.List;

/**
 * Which changes of rows are wanted, as a person typed it; empty texts and an empty list for no limit.
 *
 * @param table such as {@code shop.orders}
 * @param key the values of the columns of the table's key, as texts; only with a table
 * @param range the transactions
 */
public record RowQuestion(String table, List<String> key, Range range) {
    public RowQuestion {
        key = List.copyOf(key);
    }

    /**
     * A range of transactions.
     *
     * @param since the earliest commit time, {@code YYYY-MM-DD hh:mm:ss} in UTC
     * @param until the commit time before which they were committed, in the same form
     * @param gtids a GTID set of the binlog
     * @param after the place where an earlier answer ended, as it was in that answer
     */
    public record Range(String since, String until, String gtids, String after) {}
}
