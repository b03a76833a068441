package io.tributary.collector.writeset;

import io.tributary.common.metric.Count;
import io.tributary.schema.keys.WriteSets;

/**
 * Determines last_committed of each output transaction from the keys that it changes: the newest transaction before it with one of its keys. All
 * numbers are those of the output, which continue across files. For one thread, which gives it all transactions in their order.
 */
public final class DependencyTracker {
    private final KeyHistory history = new KeyHistory();
    private final Count alone = new Count();
    private final Count byShards = new Count();

    /** All later transactions depend on this one. */
    private long floor;

    /** The newest transaction some of whose keys are not known: what its shard reports must be considered for it. */
    private long newestByShard;

    /** @param before the number of the newest output transaction before the first one here: all depend on it */
    public DependencyTracker(long before) {
        this.floor = before;
    }

    /** Transactions that depend on all before them, and all after them on them. */
    public Count alone() {
        return alone;
    }

    /** Transactions of tables whose definitions are not known. */
    public Count byShards() {
        return byShards;
    }

    /** All transactions from this one on depend on all before it. */
    public void separate(long number) {
        floor = number - 1;
    }

    /** last_committed of a transaction that depends on all before it, and on which all after it depend. */
    public long alone(long number) {
        alone.add(1);
        floor = number;
        return number - 1;
    }

    /**
     * last_committed of a transaction with known keys.
     *
     * @param place of its keys
     * @param asShardsReport last_committed by the clocks of the shards
     * @param dependsAsShardsReport whether it has rows of a table whose definition is not known
     */
    public long byKeys(long number, WriteSets sets, int place, long asShardsReport, boolean dependsAsShardsReport) {
        int from = sets.from(place);
        int end = sets.end(place);
        floor = Math.max(floor, history.makeRoom(end - from, number - 1));
        long last = Math.max(floor, changed(number, sets, from, end));
        if (dependsAsShardsReport) {
            byShards.add(1);
            newestByShard = number;
            return Math.max(last, asShardsReport);
        }
        return Math.max(last, Math.min(asShardsReport, newestByShard));
    }

    /** Keys that are changed come first, because a key that is only needed must not hide those that needed it before. */
    private long changed(long number, WriteSets sets, int from, int end) {
        long last = 0;
        long flags = 0;
        for (int i = from; i < end; i++) {
            long key = sets.key(i);
            flags |= key;
            if ((key & WriteSets.SHARED) == 0) {
                last = later(last, history.put(changedKey(key), number), number);
                if ((key & WriteSets.HAS_SHARED) != 0) {
                    last = later(last, history.get(sharedKey(key)), number);
                }
            }
        }
        return (flags & WriteSets.SHARED) == 0 ? last : shared(last, number, sets, from, end);
    }

    private long shared(long changed, long number, WriteSets sets, int from, int end) {
        long last = changed;
        for (int i = from; i < end; i++) {
            long key = sets.key(i);
            if ((key & WriteSets.SHARED) != 0) {
                last = later(last, history.get(changedKey(key)), number);
                history.put(sharedKey(key), number);
            }
        }
        return last;
    }

    /** A key may be met several times in one transaction, which does not depend on itself. */
    private static long later(long last, long other, long number) {
        return other < number ? Math.max(last, other) : last;
    }

    /** The key under which the last transaction that changed its row is stored; never 0. */
    private static long changedKey(long key) {
        return (key | WriteSets.FLAGS) - 1;
    }

    /** The key under which the last transaction that needed its row is stored. */
    private static long sharedKey(long key) {
        return key | WriteSets.FLAGS;
    }
}
