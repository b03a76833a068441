package io.tributary.bench.collect;

/**
 * The mix of transactions.
 *
 * @param distributedPercent percentage of transactions with two branches; the others are local
 * @param rows number of rows events of each branch, plus one table map
 */
record Mix(int distributedPercent, int rows) {
    static final int EVENT_BYTES = 200;

    int branches(boolean isDistributed) {
        return isDistributed ? 2 : 1;
    }

    /** The average number of output events, with GTID, BEGIN and XID. */
    double eventsPerTransaction() {
        double payload = 1 + rows;
        return 3 + payload * (1 + distributedPercent / 100.0);
    }

    @Override
    public String toString() {
        return distributedPercent + "% distributed, " + Math.round(eventsPerTransaction()) + " events";
    }
}
