package io.tributary.testkit.check;

import java.util.Arrays;
import java.util.BitSet;

/** A row image: a hash of each column, and the bytes of short values (for integers and keys). */
public final class Row {
    static final int LONGEST_KEPT = 32;

    /** The hash of NULL and of a column that is not in the image. */
    private static final long ABSENT = 0x5bd1e9955bd1e995L;

    private final long[] hashes;
    private final byte[][] values;
    private final BitSet differences = new BitSet(0);

    Row(int columns) {
        this.hashes = new long[columns];
        this.values = new byte[columns][];
        Arrays.fill(hashes, ABSENT);
    }

    void set(int column, long hash, byte[] value) {
        hashes[column] = hash;
        values[column] = value;
    }

    /** The column contains a difference to the before-image (partial JSON), not a value. */
    void markDifference(int column) {
        differences.set(column);
    }

    public int columns() {
        return hashes.length;
    }

    public boolean isNull(int column) {
        return hashes[column] == ABSENT;
    }

    long hash(int column) {
        return hashes[column];
    }

    /** A signed integer column's value. */
    public long number(int column) {
        byte[] bytes = values[column];
        if (!mayBeNumber(bytes)) {
            throw new IllegalStateException("column " + column + " is not an integer");
        }
        long value = bytes[bytes.length - 1];
        for (int i = bytes.length - 2; i >= 0; i--) {
            value = value << 8 | (bytes[i] & 0xFF);
        }
        return value;
    }

    private static boolean mayBeNumber(byte[] value) {
        return value != null && value.length > 0 && value.length <= Long.BYTES;
    }

    /** The bytes of a column that has a value, with the length before it if its type has one; fails for more than 32 bytes. */
    byte[] bytes(int column) {
        if (values[column] == null) {
            throw new IllegalStateException("column " + column + " has no value of at most " + LONGEST_KEPT + " bytes");
        }
        return values[column].clone();
    }

    long hash() {
        long all = hashes.length;
        for (long hash : hashes) {
            all = Hash.join(all, hash);
        }
        return all;
    }

    /** The first column in which this row certainly differs from the other; -1 if there is none. */
    int differsAt(Row other) {
        if (columns() != other.columns()) {
            return 0;
        }
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] != other.hashes[i] && !differences.get(i) && !other.differences.get(i)) {
                return i;
            }
        }
        return -1;
    }

    /** A column for messages: a number if it may be one, else its hash. */
    String words(int column) {
        if (isNull(column)) {
            return "NULL";
        }
        byte[] value = values[column];
        return mayBeNumber(value) ? Long.toString(number(column)) : "#" + Long.toHexString(hashes[column]);
    }
}
