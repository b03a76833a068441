package io.tributary.common.value;

import java.util.Arrays;
import java.util.List;

/**
 * A record of the journal: what has changed in the map of table definitions, or a part of that whole map. Values are bytes that
 * nobody here looks into.
 *
 * @param number of a change: its running number in the life of the stream, the first is 1; of a snapshot: that of the last change in
 *     it, 0 for none
 * @param puts entries that are new or have another value, each key once
 * @param removed keys of entries that are gone, none of them in {@code puts}; empty in a snapshot
 */
public record Journal(long number, Kind kind, List<Put> puts, List<String> removed) {
    /** The largest value, bytes. */
    public static final int LARGEST_VALUE = 16 << 20;

    /** The largest key, bytes of UTF-8. */
    public static final int LARGEST_KEY = 8 << 10;

    /** Bytes of keys and values that a record holds where it has more than one entry. */
    public static final int PART_BYTES = 512 << 10;

    /** What a record is. */
    public enum Kind {
        /** What has changed since the record before. */
        CHANGE,
        /** Some entries of the whole map; parts follow each other in the order of the keys. */
        SNAPSHOT_PART,
        /** The snapshot is whole; has no entries. */
        SNAPSHOT_END
    }

    public Journal {
        puts = List.copyOf(puts);
        removed = List.copyOf(removed);
        if (number < 0 || kind == Kind.CHANGE && number == 0) {
            throw new IllegalArgumentException("a change's number is 1 or more, not " + number);
        }
        if (kind != Kind.CHANGE && !removed.isEmpty() || kind == Kind.SNAPSHOT_END && !puts.isEmpty()) {
            throw new IllegalArgumentException("a snapshot removes nothing, and its end has no entries");
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

    /** About how many bytes it has, for bounds. */
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
     * @param key 1 to {@link #LARGEST_KEY} bytes as UTF-8; may have characters U+0000
     * @param value at most {@link #LARGEST_VALUE} bytes, taken over: nobody changes them
     */
    public record Put(String key, byte[] value) {
        public Put {
            if (key.isEmpty() || key.length() > LARGEST_KEY || value.length > LARGEST_VALUE) {
                throw new IllegalArgumentException("a journal's key has 1 to " + LARGEST_KEY
                        + " bytes and its value at most " + LARGEST_VALUE + ", not " + key.length() + " and "
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
