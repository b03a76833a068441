package io.tributary.binlog.file;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The sparse index {@code binlog.NNNNNN.idx} of a binlog file: entries of 32 bytes, one for each MiB, for seeking in the file, and one
 * for each change of the journal. In the index of a finished file, a last entry has the file's size. The index is derived from the file
 * and rebuilt when it is missing, incomplete or damaged. In memory it is a plain list.
 */
public final class SparseIndex {
    private SparseIndex() {}

    /** The entries of a file's transactions, oldest first; errors as {@link #all}. */
    public static List<SparseEntry> of(BinlogFile file) {
        List<SparseEntry> all = all(file);
        return all.stream().anyMatch(SparseEntry::isJournal)
                ? all.stream().filter(entry -> !entry.isJournal()).toList()
                : all;
    }

    /** The entries of a file's journal changes, in their order; errors as {@link #all}. */
    public static List<SparseEntry> journal(BinlogFile file) {
        return all(file).stream().filter(SparseEntry::isJournal).toList();
    }

    /**
     * All entries of a file, oldest first. A missing, incomplete or damaged index of a finished file is rebuilt and written.
     *
     * @throws io.tributary.common.error.TributaryException BINLOG_CORRUPT when it must be rebuilt and the file is damaged
     */
    private static List<SparseEntry> all(BinlogFile file) {
        try {
            boolean finished = file.isFinished();
            long end = file.end();
            List<SparseEntry> entries = read(file.indexPath());
            if (!finished) {
                return entries.stream().filter(entry -> entry.offset() < end).toList();
            }
            if (isUsable(entries, end)) {
                return entries.subList(0, entries.size() - 1);
            }
            FileVerifier tail = FileVerifier.verified(file);
            write(file.indexPath(), tail.entries(), new SparseEntry(end, tail.gno() + 1, 0, 0));
            return tail.entries();
        } catch (IOException e) {
            throw IoErrors.of(file.indexPath(), "read or write the index", e);
        }
    }

    /** Whether the index of a finished file is complete and its offsets grow: a damaged one is rebuilt. */
    static boolean isUsable(List<SparseEntry> entries, long end) {
        long previous = EventHeader.FILE_MAGIC_LENGTH;
        for (SparseEntry entry : entries) {
            if (entry.offset() < previous) {
                return false;
            }
            previous = entry.offset();
        }
        return !entries.isEmpty() && previous == end;
    }

    /**
     * Offset of the last indexed transaction at or before the target value, to start reading from; the file's first event (4) when there is none.
     *
     * @param by the field to compare: {@code SparseEntry::gno}, {@code SparseEntry::commitMicros} or {@code SparseEntry::offset}
     */
    public static long offsetBefore(List<SparseEntry> entries, ToLongFunction<SparseEntry> by, long target) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (by.applyAsLong(entries.get(middle)) <= target) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? 4 : entries.get(low - 1).offset();
    }

    /** Replaces a file's index; {@code last} is the final entry of a finished file's index, else null. */
    public static void write(Path path, List<SparseEntry> entries, SparseEntry last) throws IOException {
        ByteBuffer buf = ByteBuffer.allocate((entries.size() + 1) * SparseEntry.LENGTH);
        for (SparseEntry entry : entries) {
            put(buf, entry);
        }
        if (last != null) {
            put(buf, last);
        }
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            append(channel, buf.flip());
        }
    }

    /** Appends one entry. It is not synced to disk, because the index can be rebuilt. */
    public static void append(FileChannel channel, SparseEntry entry) throws IOException {
        ByteBuffer buf = ByteBuffer.allocate(SparseEntry.LENGTH);
        put(buf, entry);
        append(channel, buf.flip());
    }

    private static void append(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void put(ByteBuffer buf, SparseEntry entry) {
        int at = buf.position();
        LittleEndian.putLong(buf, at, entry.offset());
        LittleEndian.putLong(buf, at + 8, entry.gno());
        LittleEndian.putLong(buf, at + 16, entry.commitMicros());
        LittleEndian.putLong(buf, at + 24, entry.tso());
        buf.position(at + SparseEntry.LENGTH);
    }

    public static List<SparseEntry> read(Path path) throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
        SparseEntry[] entries = new SparseEntry[bytes.remaining() / SparseEntry.LENGTH];
        for (int i = 0; i < entries.length; i++) {
            int at = i * SparseEntry.LENGTH;
            entries[i] = new SparseEntry(
                    LittleEndian.getLong(bytes, at),
                    LittleEndian.getLong(bytes, at + 8),
                    LittleEndian.getLong(bytes, at + 16),
                    LittleEndian.getLong(bytes, at + 24));
        }
        return List.of(entries);
    }
}
