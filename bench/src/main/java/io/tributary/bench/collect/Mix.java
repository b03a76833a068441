package io.tributary.bench.collect;

/**
 * What transactions come.
 *
 * @param distributedPercent how many of a hundred have two branches, the others are local
 * @param rows rows events of each branch; its table map comes on top
 */
record Mix(int distributedPercent, int rows) {
    static final int EVENT_BYTES = 200;

    int branches(boolean isDistributed) {
        return isDistributed ? 2 : 1;
    }

    /** Events of the output on the average, with GTID, BEGIN and XID. */
    double eventsPerTransaction() {
        double payload = 1 + rows;
        return 3 + payload * (1 + distributedPercent / 100.0);
    }

    @Override
    public String toString() {
        return distributedPercent + "% distributed, " + Math.round(eventsPerTransaction()) + " events";
    }
}
