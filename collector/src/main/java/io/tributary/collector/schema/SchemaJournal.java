package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Put;
import io.tributary.store.JournalMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A map of keys and values that outlives this node: each change of it goes to the binlog, in front of the transaction that follows it,
 * and no cut stands between the two. A collector that starts behind a cut finds the map as it was at that cut. Used by the thread that
 * orders alone. A change of many entries is no transaction: where it has to be whole, one key has to say so.
 */
public final class SchemaJournal {
    private static final long MOST_BYTES = 4L * Journal.PART_BYTES;

    private final JournalMap map;
    private final Map<String, byte[]> changed = new LinkedHashMap<>(); // null: removed
    private long changedBytes;
    private Runnable beforeChange = () -> {};

    /**
     * @param map as it is at the place from which the collector resumes; used by this journal alone, closed by its creator
     */
    public SchemaJournal(JournalMap map) {
        this.map = map;
    }

    /** @throws TributaryException CUT_UNUSABLE when the map is not that of the cut */
    public SchemaJournal requireFits(Cut start) {
        if (map.number() != start.schemaNumber() || !map.isWhole()) {
            throw new TributaryException(
                    ErrorCode.CUT_UNUSABLE,
                    "cut " + start.number() + ": expected the journal up to change " + start.schemaNumber()
                            + ", found it up to " + map.number());
        }
        return this;
    }

    /** Called before each change; may hand out what has been changed so far. */
    public void beforeChange(Runnable listener) {
        beforeChange = listener;
    }

    /** The value of a key, not to be changed; null when there is none. */
    public byte[] get(String key) {
        return map.get(key);
    }

    /**
     * Gives a key a value. Where it has that value already, nothing is written.
     *
     * @param key 1 to {@link Journal#LARGEST_KEY} bytes as UTF-8
     * @param value at most {@link Journal#LARGEST_VALUE} bytes, taken over: nobody changes it from here on
     */
    public void put(String key, byte[] value) {
        Put put = new Put(key, value);
        if (!Arrays.equals(map.get(key), value)) {
            beforeChange.run();
            map.put(key, value);
            changed(key, put.value());
        }
    }

    /** Takes a key out; nothing is written where there is none. */
    public void remove(String key) {
        if (map.get(key) != null) {
            beforeChange.run();
            map.remove(key);
            changed(key, null);
        }
    }

    private void changed(String key, byte[] value) {
        changed.put(key, value);
        changedBytes += key.length() + (value == null ? 0 : value.length);
    }

    /** Shows each entry whose key begins so, in the order of the keys' bytes. Entries may be changed meanwhile. */
    public void forEach(String prefix, BiConsumer<String, byte[]> to) {
        map.forEach(prefix, to);
    }

    // ---- for who hands the changes out

    /** Whether something was changed since {@link #take}. */
    public boolean hasChanges() {
        return !changed.isEmpty();
    }

    /** Whether so much was changed that it should be handed out, in parts. */
    public boolean isFull() {
        return changedBytes >= MOST_BYTES;
    }

    /** What was changed since it was called last: records that follow each other, each of bounded size. */
    public List<Journal> take() {
        List<Journal> records = new ArrayList<>();
        List<Put> puts = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, byte[]> entry : changed.entrySet()) {
            String key = entry.getKey();
            byte[] value = entry.getValue();
            long more = (long) key.length() + (value == null ? 0 : value.length);
            if (bytes > 0 && bytes + more > Journal.PART_BYTES) {
                records.add(Journal.change(map.nextNumber(), puts, removed));
                puts.clear();
                removed.clear();
                bytes = 0;
            }
            bytes += more;
            if (value == null) {
                removed.add(key);
            } else {
                puts.add(new Put(key, value));
            }
        }
        if (bytes > 0) {
            records.add(Journal.change(map.nextNumber(), puts, removed));
        }
        changed.clear();
        changedBytes = 0;
        return records;
    }

    /** Number of the last record that was taken; 0 for none. */
    public long number() {
        return map.number();
    }
}
