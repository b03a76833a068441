package io.tributary.collector.writeset;

import java.util.Arrays;

/**
 * The newest transaction of each key, for a bounded number of keys. There are two generations of keys; when the young one is full, it becomes the old
 * one, and what the old one contained is forgotten. What is forgotten depends only on the sequence of transactions, never on time or memory.
 */
final class KeyHistory {
    /** Keys of a generation. Not configurable: two nodes that write the same transactions write the same bytes. */
    static final int MOST = 1 << 14;

    private static final int SLOTS = 2 * MOST;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SLOTS);
    private static final int FILTER_BITS = 16 * MOST;
    private static final int FILTER_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(FILTER_BITS);

    /** Pairs of a key and its transaction; key 0 is an empty slot. */
    private long[] young = new long[2 * SLOTS];

    private long[] old = new long[2 * SLOTS];

    /** A bit for each key: most keys that a generation does not have are found here, in the CPU's cache. */
    private long[] youngBits = new long[FILTER_BITS / Long.SIZE];

    private long[] oldBits = new long[FILTER_BITS / Long.SIZE];
    private int size;

    /** The newest transaction when the old generation was closed. */
    private long oldNewest;

    /**
     * Ensures that so many keys can be added.
     *
     * @param keys at most {@link #MOST}
     * @param newest the newest transaction so far
     * @return the newest transaction of which a key was forgotten now; 0 if none was
     */
    long makeRoom(int keys, long newest) {
        if (size + keys <= MOST) {
            return 0;
        }
        long forgotten = oldNewest;
        long[] empty = old;
        old = young;
        young = empty;
        Arrays.fill(young, 0);
        long[] noBits = oldBits;
        oldBits = youngBits;
        youngBits = noBits;
        Arrays.fill(youngBits, 0);
        size = 0;
        oldNewest = newest;
        return forgotten;
    }

    /** The newest transaction with a key; 0 if it is not known. */
    long get(long key) {
        long[] table = young;
        int at = slot(table, key);
        return table[at] == key ? table[at + 1] : ofOld(key);
    }

    /** Sets the newest transaction with a key, and returns the one before. */
    long put(long key, long transaction) {
        long[] table = young;
        int at = slot(table, key);
        if (table[at] == key) {
            long before = table[at + 1];
            table[at + 1] = transaction;
            return before;
        }
        table[at] = key;
        table[at + 1] = transaction;
        int bit = (int) (key >>> FILTER_SHIFT);
        youngBits[bit / Long.SIZE] |= 1L << bit;
        size++;
        return ofOld(key);
    }

    private long ofOld(long key) {
        int bit = (int) (key >>> FILTER_SHIFT);
        if ((oldBits[bit / Long.SIZE] & 1L << bit) == 0) {
            return 0;
        }
        long[] table = old;
        int at = slot(table, key);
        return table[at] == key ? table[at + 1] : 0;
    }

    /** Index of the key, or of the empty slot where it belongs. */
    private static int slot(long[] table, long key) {
        int at = 2 * (int) (key >>> SHIFT);
        while (table[at] != key && table[at] != 0) {
            at = at + 2 & table.length - 1;
        }
        return at;
    }
}
