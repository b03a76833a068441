package io.tributary.collector.order;

/**
 * Maps one shard's logical clock to the output's: returns the newest output transaction among those of this shard whose source number is at most a
 * given bound. It remembers the last entries; for older bounds it returns a later transaction than necessary.
 */
final class SourceClock {
    private static final int REMEMBERED = 1024;

    private final long[] sources = new long[REMEMBERED];
    private final long[] outputs = new long[REMEMBERED];

    private String file = "";

    /** Entries ever added in this file; entry i is stored at i modulo the ring's length. */
    private long added;

    /** The output number on which everything in this file depends: the newest one before the file. */
    private long before;

    /** The newest output number of this shard, and the newest one that was overwritten in the ring. */
    private long newest;

    private long lost;

    /**
     * The newest output transaction of this shard on which a transaction depends; 0 for none.
     *
     * @param inFile the source's file that contains it
     * @param lastCommitted its source clock
     * @param sequenceNumber its source clock; 0 if the source writes none: then it depends on everything
     */
    long dependency(String inFile, long lastCommitted, long sequenceNumber) {
        if (sequenceNumber == 0 || !inFile.equals(file)) {
            return newest;
        }
        return Math.max(before, newestUpTo(lastCommitted));
    }

    /** Adds a transaction; later transactions of this shard may depend on it. */
    void add(String inFile, long sequenceNumber, long output) {
        long last = added == 0 ? 0 : sources[at(added - 1)];
        if (!inFile.equals(file) || sequenceNumber <= last) {
            file = inFile;
            before = newest;
            added = 0;
            lost = 0;
        }
        newest = Math.max(newest, output);
        int at = at(added);
        if (added >= REMEMBERED) {
            lost = outputs[at];
        }
        sources[at] = sequenceNumber;
        outputs[at] = newest;
        added++;
    }

    /** Transactions mostly depend on slightly older ones, so the search begins at the newest entry. */
    private long newestUpTo(long source) {
        long oldest = Math.max(0, added - REMEMBERED);
        long high = added;
        long low = high - 1;
        for (long step = 1; low >= oldest && sources[at(low)] > source; step <<= 1) {
            high = low;
            low -= step;
        }
        if (high == added && low >= oldest) { // all entries
            return outputs[at(low)];
        }
        low = Math.max(low, oldest);
        while (low < high) { // the first entry above the bound
            long middle = (low + high) >>> 1;
            if (sources[at(middle)] <= source) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > oldest ? outputs[at(low - 1)] : lost;
    }

    private static int at(long entry) {
        return (int) (entry & (REMEMBERED - 1));
    }
}
