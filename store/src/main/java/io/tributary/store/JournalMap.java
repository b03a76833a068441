package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Kind;
import io.tributary.common.value.Journal.Put;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The map that results from the changes of a journal, and the number of the last change. It is on the heap while it is small. Above 4 MiB of keys and
 * values all of it is in a separate RocksDB, so that the number of tables is not limited. It does not outlive the process: it is rebuilt from a
 * snapshot and the changes after it. Any thread.
 */
public final class JournalMap implements AutoCloseable {
    private static final long MOST_ON_HEAP = 4L << 20;
    private static final long MEMORY = 8L << 20;
    private static final byte[] ALL = {};

    private final Path folder; // null: all on the heap
    private final long mostOnHeap;
    private TreeMap<byte[], byte[]> heap = new TreeMap<>(Arrays::compareUnsigned); // null once it is on disk
    private Spill spill; // null while it is on the heap
    private long number;
    private long bytes;
    private boolean isWhole = true;
    private boolean isClosed;

    private JournalMap(Path folder, long mostOnHeap) {
        this.folder = folder;
        this.mostOnHeap = mostOnHeap;
    }

    /** An empty map that stays on the heap: for few entries, and for tests. */
    public static JournalMap onHeap() {
        return new JournalMap(null, Long.MAX_VALUE);
    }

    /**
     * An empty map.
     *
     * @param folder created when it is needed, used by this map alone; its folder {@code payload} is wiped then, and when this is closed
     */
    public static JournalMap at(Path folder) {
        return at(folder, MOST_ON_HEAP);
    }

    /** @param mostOnHeap bytes of keys and values above which the map is moved to disk */
    static JournalMap at(Path folder, long mostOnHeap) {
        return new JournalMap(folder, mostOnHeap);
    }

    // ---- entries

    /** The value of a key; null when there is none. */
    public synchronized byte[] get(String key) {
        return get(bytes(key));
    }

    private byte[] get(byte[] key) {
        requireOpen();
        return heap != null ? heap.get(key) : spill.find(key);
    }

    /** Sets the value of a key, at most {@link Journal#LARGEST_VALUE} bytes; the array is kept. */
    public synchronized void put(String key, byte[] value) {
        byte[] name = bytes(key);
        byte[] before = get(name);
        bytes += value.length - (before == null ? -name.length : before.length);
        if (heap != null) {
            heap.put(name, value);
            if (bytes > mostOnHeap) {
                spill();
            }
        } else {
            spill.keep(name, value);
        }
    }

    /** Removes a key, if it exists. */
    public synchronized void remove(String key) {
        byte[] name = bytes(key);
        byte[] before = get(name);
        if (before != null) {
            bytes -= name.length + before.length;
            if (heap != null) {
                heap.remove(name);
            } else {
                spill.remove(name);
            }
        }
    }

    private void spill() {
        spill = new Spill(new SpillDirectory(folder), Long.MAX_VALUE, MEMORY);
        heap.forEach(spill::keep);
        heap = null;
    }

    /** Calls {@code to} for each entry whose key has this prefix, in the order of the keys' bytes. Entries may change meanwhile. */
    public void forEach(String prefix, BiConsumer<String, byte[]> to) {
        byte[] beginning = bytes(prefix);
        byte[] from = beginning;
        for (List<Map.Entry<byte[], byte[]>> page = page(from, beginning);
                !page.isEmpty();
                page = page(from, beginning)) {
            for (Map.Entry<byte[], byte[]> entry : page) {
                to.accept(text(entry.getKey()), entry.getValue());
            }
            from = after(page);
        }
    }

    private synchronized List<Map.Entry<byte[], byte[]>> page(byte[] from, byte[] beginning) {
        requireOpen();
        if (heap == null) {
            return spill.page(from, beginning, Journal.PART_BYTES);
        }
        List<Map.Entry<byte[], byte[]>> page = new ArrayList<>();
        long size = 0;
        for (Map.Entry<byte[], byte[]> entry : heap.tailMap(from, true).entrySet()) {
            byte[] key = entry.getKey();
            boolean hasPrefix = key.length >= beginning.length
                    && Arrays.equals(key, 0, beginning.length, beginning, 0, beginning.length);
            if (!hasPrefix || size >= Journal.PART_BYTES) {
                break;
            }
            size += key.length + entry.getValue().length;
            page.add(Map.entry(key, entry.getValue()));
        }
        return page;
    }

    /** The first key after a page. */
    private static byte[] after(List<Map.Entry<byte[], byte[]>> page) {
        byte[] last = page.get(page.size() - 1).getKey();
        return Arrays.copyOf(last, last.length + 1);
    }

    // ---- the journal

    /** Number of the last change in it; 0 for none. */
    public synchronized long number() {
        return number;
    }

    /** Bytes of all keys and values. */
    public synchronized long bytes() {
        return bytes;
    }

    /** The number of the next change, which is in the map already. */
    public synchronized long nextNumber() {
        return ++number;
    }

    /**
     * Applies a record: a change that follows the last one, or the parts of a snapshot, in their order, to an empty map.
     *
     * @throws TributaryException CUT_UNUSABLE if it does not follow
     */
    public synchronized void fold(Journal record) {
        boolean isChange = record.kind() == Kind.CHANGE;
        boolean follows = isChange
                ? isWhole && record.number() == number + 1
                : isWhole ? number == 0 && bytes == 0 : record.number() == number;
        if (!follows) {
            throw new TributaryException(
                    ErrorCode.CUT_UNUSABLE,
                    "expected a record of the journal that follows " + (isWhole ? "change " : "part of snapshot ")
                            + number + ", found " + record.kind() + " " + record.number());
        }
        record.puts().forEach(put -> put(put.key(), put.value()));
        record.removed().forEach(this::remove);
        number = record.number();
        isWhole = record.kind() != Kind.SNAPSHOT_PART;
    }

    /** False after some but not all parts of a snapshot were applied. */
    public synchronized boolean isWhole() {
        return isWhole;
    }

    /** The current map as a snapshot: parts, then their end. The map must not change until the last was returned. */
    public Iterator<Journal> snapshot() {
        long of = number();
        return new Iterator<>() {
            private byte[] from = ALL;
            private boolean hasEnded;

            @Override
            public boolean hasNext() {
                return !hasEnded;
            }

            @Override
            public Journal next() {
                if (hasEnded) {
                    throw new NoSuchElementException();
                }
                List<Map.Entry<byte[], byte[]>> page = page(from, ALL);
                if (page.isEmpty()) {
                    hasEnded = true;
                    return Journal.end(of);
                }
                from = after(page);
                return Journal.part(
                        of,
                        page.stream()
                                .map(entry -> new Put(text(entry.getKey()), entry.getValue()))
                                .toList());
            }
        };
    }

    /** Removes everything. */
    public synchronized void clear() {
        requireOpen();
        end();
        heap = new TreeMap<>(Arrays::compareUnsigned);
        number = 0;
        bytes = 0;
        isWhole = true;
    }

    /** Replaces the content of this map by that of a snapshot. */
    public synchronized void takeOver(Iterator<Journal> snapshot) {
        clear();
        snapshot.forEachRemaining(this::fold);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new TributaryException(ErrorCode.STORE_FAILED, "expected an open journal, found it closed");
        }
    }

    private void end() {
        if (spill != null) {
            spill.close();
            spill = null;
        }
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    /** Removes everything, also on disk. */
    @Override
    public synchronized void close() {
        isClosed = true;
        end();
        heap = null;
    }
}
