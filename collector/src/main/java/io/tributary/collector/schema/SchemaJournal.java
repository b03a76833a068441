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
 * A map of keys and values that outlives this node. Each change of it is written to the binlog, before the transaction that follows it, and there is
 * no cut between the two. A collector that resumes after a cut restores the map as it was at that cut. Used only by the thread that orders. A change
 * of many entries is not atomic: if it must be, one key has to mark it as complete.
 */
public final class SchemaJournal {
    private static final long MOST_BYTES = 4L * Journal.PART_BYTES;

    private final JournalMap map;
    private final Map<String, byte[]> changed = new LinkedHashMap<>(); // null: removed
    private long changedBytes;
    private Runnable beforeChange = () -> {};
    private BiConsumer<String, byte[]> afterChange = (key, value) -> {};

    /** @param map its state at the position from which the collector resumes; used only by this journal, closed by its creator */
    public SchemaJournal(JournalMap map) {
        this.map = map;
    }

    /** @throws TributaryException CUT_UNUSABLE if the map is not that of the cut */
    SchemaJournal requireFits(Cut start) {
        if (map.number() != start.schemaNumber() || !map.isWhole()) {
            throw new TributaryException(
                    ErrorCode.CUT_UNUSABLE,
                    "cut " + start.number() + ": expected the journal up to change " + start.schemaNumber()
                            + ", found it up to " + map.number());
        }
        return this;
    }

    /** Sets a listener that is called before each change; it may hand out the changes so far. */
    public void beforeChange(Runnable listener) {
        beforeChange = listener;
    }

    /** Sets a listener that is called after each change with the key and its new value; null for a key that was removed. */
    void afterChange(BiConsumer<String, byte[]> listener) {
        afterChange = listener;
    }

    /** The value of a key, which the caller must not change; null if there is none. */
    public byte[] get(String key) {
        return map.get(key);
    }

    /**
     * Sets the value of a key. If the key has that value already, nothing is written.
     *
     * @param key 1 to {@link Journal#LARGEST_KEY} bytes as UTF-8
     * @param value at most {@link Journal#LARGEST_VALUE} bytes; it is kept, so it must not be changed any more
     */
    public void put(String key, byte[] value) {
        Put put = new Put(key, value);
        if (!Arrays.equals(map.get(key), value)) {
            beforeChange.run();
            map.put(key, value);
            changed(key, put.value());
        }
    }

    /** Removes a key; nothing is written if it does not exist. */
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
        afterChange.accept(key, value);
    }

    /** Calls {@code to} for each entry whose key has this prefix, in the order of the keys' bytes. Entries may be changed meanwhile. */
    public void forEach(String prefix, BiConsumer<String, byte[]> to) {
        map.forEach(prefix, to);
    }

    // ---- for the caller that hands the changes out

    /** Whether there are changes since {@link #take}. */
    public boolean hasChanges() {
        return !changed.isEmpty();
    }

    /** Whether there are so many changes that they should be handed out, in parts. */
    public boolean isFull() {
        return changedBytes >= MOST_BYTES;
    }

    /** The changes since the last call: consecutive records, each of bounded size. */
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

    /** Number of the last record that {@link #take} returned; 0 for none. */
    public long number() {
        return map.number();
    }
}
