package io.tributary.common.value;

import java.util.Arrays;
import java.util.List;

/**
 * A record of the journal: a change of the map of table definitions, or a part of a snapshot of the whole map. The values are bytes that
 * this class does not interpret.
 *
 * @param number for a change: its running number in the stream, 1 for the first; for a snapshot: the number of the last change in
 *     it, 0 = none
 * @param puts entries that are new or have another value, each key once
 * @param removed keys of removed entries, none of them in {@code puts}; empty in a snapshot
 */
public record Journal(long number, Kind kind, List<Put> puts, List<String> removed) {
    /** Maximum size of a value, bytes. */
    public static final int LARGEST_VALUE = 16 << 20;

    /** Maximum size of a key, bytes of UTF-8. */
    public static final int LARGEST_KEY = 8 << 10;

    /** Bytes of keys and values in a record with more than one entry. */
    public static final int PART_BYTES = 512 << 10;

    /** The kind of a record. */
    public enum Kind {
        /** The changes since the record before. */
        CHANGE,
        /** Some entries of the whole map; parts follow each other in the order of the keys. */
        SNAPSHOT_PART,
        /** The end of a snapshot; has no entries. */
        SNAPSHOT_END
    }

    public Journal {
        puts = List.copyOf(puts);
        removed = List.copyOf(removed);
        if (number < 0 || kind == Kind.CHANGE && number == 0) {
            throw new IllegalArgumentException("expected a change with a number of 1 or more, found " + number);
        }
        if (kind != Kind.CHANGE && !removed.isEmpty() || kind == Kind.SNAPSHOT_END && !puts.isEmpty()) {
            throw new IllegalArgumentException("expected a snapshot that removes nothing, and an end without entries");
        }
    }

    /** A change. */
    public static Journal change(long number, List<Put> puts, List<String> removed) {
        return new Journal(number, Kind.CHANGE, puts, removed);
    }

    /** Some entries of the whole map as it is after the change of this number. */
    public static Journal part(long number, List<Put> puts) {
        return new Journal(number, Kind.SNAPSHOT_PART, puts, List.of());
    }

    /** The end of a snapshot. */
    public static Journal end(long number) {
        return new Journal(number, Kind.SNAPSHOT_END, List.of(), List.of());
    }

    /** The approximate size in bytes, for limits. */
    public long bytes() {
        long bytes = 16;
        for (Put put : puts) {
            bytes += put.bytes();
        }
        for (String key : removed) {
            bytes += key.length() + 4;
        }
        return bytes;
    }

    /**
     * An entry.
     *
     * @param key 1 to {@link #LARGEST_KEY} bytes as UTF-8; may contain U+0000
     * @param value at most {@link #LARGEST_VALUE} bytes; owned by the record and never changed
     */
    public record Put(String key, byte[] value) {
        public Put {
            if (key.isEmpty() || key.length() > LARGEST_KEY || value.length > LARGEST_VALUE) {
                throw new IllegalArgumentException("expected a journal key of 1 to " + LARGEST_KEY
                        + " bytes and a value of at most " + LARGEST_VALUE + ", found " + key.length() + " and "
                        + value.length);
            }
        }

        long bytes() {
            return key.length() + value.length + 8L;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Put put && key.equals(put.key) && Arrays.equals(value, put.value);
        }

        @Override
        public int hashCode() {
            return 31 * key.hashCode() + Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return "Put[" + key.replace('\0', '/') + ", " + value.length + " bytes]";
        }
    }
}
