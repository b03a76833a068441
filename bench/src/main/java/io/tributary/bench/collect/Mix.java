package io.tributary.bench.collect;

import io.tributary.collector.BinlogParallel;

/**
 * The mix of transactions.
 *
 * @param distributedPercent percentage of transactions with two branches; the others are local
 * @param rows number of rows events of each branch, plus one table map
 * @param parallel the value of binlog.parallel
 */
record Mix(int distributedPercent, int rows, BinlogParallel parallel) {
    static final int EVENT_BYTES = 200;

    int branches(boolean isDistributed) {
        return isDistributed ? 2 : 1;
    }

    /** The average number of output events, with GTID, BEGIN and XID. */
    double eventsPerTransaction() {
        double payload = 1 + rows;
        return 3 + payload * (1 + distributedPercent / 100.0);
    }

    /** The average number of keys of a transaction. */
    double keys() {
        return rows * (1 + distributedPercent / 100.0);
    }

    @Override
    public String toString() {
        return distributedPercent + "% distributed, " + Math.round(eventsPerTransaction()) + " events"
                + (parallel == BinlogParallel.WRITESET ? ", writeset" : "");
    }
}
