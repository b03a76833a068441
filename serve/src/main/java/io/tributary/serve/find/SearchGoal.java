package io.tributary.serve.find;

import io.tributary.common.gtid.Gtid;

/** The goal of a search in the binlog. */
public sealed interface SearchGoal {
    /**
     * The first transaction that was committed at this time or later.
     *
     * @param epochMicros µs since 1970, by the clock of the shard that committed
     */
    record Time(long epochMicros) implements SearchGoal {}

    /** A transaction. */
    record Transaction(Gtid gtid) implements SearchGoal {}

    /** The last cut before which nothing is newer than a TSO. */
    record Tso(long tso) implements SearchGoal {
        public Tso {
            if (tso < 0) {
                throw new IllegalArgumentException("expected a TSO of 0 to 2^63-1, found " + tso);
            }
        }
    }
}
