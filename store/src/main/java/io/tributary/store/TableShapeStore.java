package io.tributary.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Numbers by name, for values of tables. The most recently used are on the heap, the rest in the spill's RocksDB, so that the number of tables is not
 * limited. It does not outlive the store. In mode memory all of it is on the heap. Any thread; not for the hot path.
 */
public final class TableShapeStore {
    private static final int MOST_ON_HEAP = 8192;

    private final byte[] prefix;
    private final Spill spill; // null in mode memory
    private final Map<Name, Long> newest = new LinkedHashMap<>(16, 0.75f, true);
    private long evicted;

    /** Bytes with value semantics. */
    private record Name(byte[] bytes, int hash) {
        Name(byte[] bytes) {
            this(bytes, Arrays.hashCode(bytes));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Name name && Arrays.equals(bytes, name.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    TableShapeStore(String name, Spill spill) {
        this.prefix = (name + "\0").getBytes(StandardCharsets.UTF_8);
        this.spill = spill;
    }

    /** A store that is only on the heap: for few names, and tests. */
    public static TableShapeStore onHeap() {
        return new TableShapeStore("", null);
    }

    /** The number of a name; 0 if there is none. */
    public synchronized long find(byte[] name) {
        Name asked = new Name(name);
        Long known = newest.get(asked);
        if (known != null || evicted == 0) {
            return known == null ? 0 : known;
        }
        byte[] kept = spill.find(key(name));
        long number = kept == null ? 0 : toLong(kept);
        if (number != 0) {
            add(asked, number);
        }
        return number;
    }

    /** Sets the number of a name; 0 removes it. */
    public synchronized void put(byte[] name, long number) {
        add(new Name(name), number);
    }

    private void add(Name name, long number) {
        newest.put(name, number);
        if (newest.size() > MOST_ON_HEAP && spill != null) {
            Map.Entry<Name, Long> eldest = newest.entrySet().iterator().next();
            spill.keep(key(eldest.getKey().bytes()), toBytes(eldest.getValue()));
            newest.remove(eldest.getKey());
            evicted++;
        }
    }

    /** Removes all names with this prefix. */
    public synchronized void removeAll(byte[] beginning) {
        newest.keySet()
                .removeIf(name -> name.bytes().length >= beginning.length
                        && Arrays.equals(name.bytes(), 0, beginning.length, beginning, 0, beginning.length));
        if (evicted > 0) {
            spill.forget(key(beginning), after(key(beginning)));
        }
    }

    private byte[] key(byte[] name) {
        byte[] key = Arrays.copyOf(prefix, prefix.length + name.length);
        System.arraycopy(name, 0, key, prefix.length, name.length);
        return key;
    }

    /** The first key after all that have this prefix; at least the 0 at the end of the name can be incremented. */
    private static byte[] after(byte[] key) {
        int last = key.length - 1;
        while (key[last] == (byte) 0xff) {
            last--;
        }
        byte[] after = Arrays.copyOf(key, last + 1);
        after[last]++;
        return after;
    }

    private static byte[] toBytes(long number) {
        byte[] bytes = new byte[Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (number >>> 8 * i);
        }
        return bytes;
    }

    private static long toLong(byte[] bytes) {
        long number = 0;
        for (int i = bytes.length - 1; i >= 0; i--) {
            number = number << 8 | bytes[i] & 0xff;
        }
        return number;
    }
}
