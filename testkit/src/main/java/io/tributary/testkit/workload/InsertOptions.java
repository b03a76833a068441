package io.tributary.testkit.workload;

import java.util.List;

/**
 * The options of an insert workload.
 *
 * @param threads number of threads, each with a session per busy shard
 * @param rows rows per transaction
 * @param rowBytes random bytes per row, at most 16 MiB - 1
 * @param perSecond transactions per second over all threads, 0 for no limit
 * @param busy numbers of the written shards; empty for all
 * @param sessionSetup a statement for each session, such as {@code SET SESSION binlog_transaction_compression=ON}; may be empty
 */
public record InsertOptions(
        int threads, int rows, int rowBytes, double perSecond, List<Integer> busy, String sessionSetup) {
    public InsertOptions {
        busy = List.copyOf(busy);
    }

    /** Very many tiny transactions: one row of 8 bytes each, 2 threads. */
    public static InsertOptions tiny() {
        return new InsertOptions(2, 1, 8, 0, List.of(), "");
    }

    public InsertOptions threads(int count) {
        return new InsertOptions(count, rows, rowBytes, perSecond, busy, sessionSetup);
    }

    public InsertOptions shape(int rowsPerTransaction, int bytesPerRow) {
        return new InsertOptions(threads, rowsPerTransaction, bytesPerRow, perSecond, busy, sessionSetup);
    }

    public InsertOptions perSecond(double rate) {
        return new InsertOptions(threads, rows, rowBytes, rate, busy, sessionSetup);
    }

    /** The other shards stay idle. */
    public InsertOptions only(Integer... shards) {
        return new InsertOptions(threads, rows, rowBytes, perSecond, List.of(shards), sessionSetup);
    }

    public InsertOptions sessionSetup(String statement) {
        return new InsertOptions(threads, rows, rowBytes, perSecond, busy, statement);
    }
}
