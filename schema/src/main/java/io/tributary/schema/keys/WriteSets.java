package io.tributary.schema.keys;

import java.util.Arrays;

/**
 * The hashes of the keys of several transactions, one transaction after the other. The two lowest bits of a hash tell how the key is used. Written by
 * one thread, then read by another.
 */
public final class WriteSets {
    /** The row with the key is needed, not changed. */
    public static final long SHARED = 1;
    /** The row with the key is changed, and other transactions may need it. */
    public static final long HAS_SHARED = 2;
    /** Both bits. */
    public static final long FLAGS = SHARED | HAS_SHARED;

    /** A transaction with more keys depends on all before it, and all after it depend on it. */
    public static final int MOST_OF_ONE = 1 << 14;

    private static final int KEPT = 1 << 16;

    private long[] keys = new long[1024];
    private int[] ends = new int[64];
    private boolean[] known = new boolean[64];
    private int size;
    private int count;

    // ---- the writer

    /** Begins the next transaction. */
    public void begin() {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            known = Arrays.copyOf(known, 2 * count);
        }
        ends[count] = size;
    }

    /** Adds a key, with its flags. */
    public void add(long key) {
        int last = size - 1;
        if (last >= ends[count] && keys[last] == key) {
            return; // both images of an update mostly have the same key
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        keys[size++] = key;
    }

    /** Whether the transaction has more keys than are kept. */
    public boolean isTooLarge() {
        return size - from() > MOST_OF_ONE;
    }

    /**
     * Ends the transaction.
     *
     * @param isKnown whether all its keys were added; otherwise none is kept
     */
    public void end(boolean isKnown) {
        if (!isKnown) {
            size = from();
        }
        known[count] = isKnown;
        ends[count++] = size;
    }

    private int from() {
        return count == 0 ? 0 : ends[count - 1];
    }

    // ---- the reader

    /** Whether the keys of a transaction are known. */
    public boolean isKnown(int transaction) {
        return known[transaction];
    }

    /** The number of keys of all transactions. */
    public int size() {
        return size;
    }

    /** The number of transactions. */
    public int count() {
        return count;
    }

    /** The index of the first key of a transaction. */
    public int from(int transaction) {
        return transaction == 0 ? 0 : ends[transaction - 1];
    }

    /** The index after the last key of a transaction. */
    public int end(int transaction) {
        return ends[transaction];
    }

    /** A key, with its flags. */
    public long key(int at) {
        return keys[at];
    }

    /** Removes all. */
    public void clear() {
        size = 0;
        count = 0;
        if (keys.length > KEPT) {
            keys = new long[KEPT];
        }
    }
}
