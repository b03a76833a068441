package io.tributary.node.command.log;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import java.util.List;
import java.util.Optional;

/**
 * Which changes are wanted.
 *
 * @param table only changes of this table; empty for all
 * @param key only rows with these values of the columns of the table's key, as texts; empty for all
 * @param since only transactions that were committed at this time or later, µs since 1970; Long.MIN_VALUE for all
 * @param until only transactions that were committed before this time, µs since 1970; Long.MAX_VALUE for all
 * @param gtids only these transactions; empty for all
 */
record LogSelection(Optional<TableName> table, List<String> key, long since, long until, Optional<GtidSet> gtids) {
    /** How much the commit times of shards may differ from the order of the binlog, µs. */
    private static final long MOST_SKEW = 60_000_000;

    LogSelection {
        key = List.copyOf(key);
    }

    boolean wants(TableName name) {
        return table.isEmpty() || table.get().equals(name);
    }

    /** Whether a transaction may be wanted. */
    boolean has(Sid sid, long gno, long micros) {
        return gtids.map(set -> set.contains(sid, gno)).orElse(true) && micros >= since && micros < until;
    }

    /** Whether no transaction from this number to that one is in {@link #gtids}. */
    boolean excludes(Sid sid, long first, long last) {
        return gtids.isPresent()
                && (first > last
                        || gtids.get()
                                .intersect(GtidSet.EMPTY.toBuilder()
                                        .addRange(sid, first, last)
                                        .build())
                                .isEmpty());
    }

    /** No transaction that was committed before this time is selected, with regard to the clocks of shards, µs since 1970; Long.MIN_VALUE: none is too early. */
    long earliest() {
        return since == Long.MIN_VALUE ? since : since - MOST_SKEW;
    }

    /** Whether all transactions before one that was committed at this time were committed too early. */
    boolean isBefore(long micros) {
        return micros < earliest();
    }

    /** Whether all transactions after one that was committed at this time were committed too late. */
    boolean isAfter(long micros) {
        return until != Long.MAX_VALUE && micros > until + MOST_SKEW;
    }
}
