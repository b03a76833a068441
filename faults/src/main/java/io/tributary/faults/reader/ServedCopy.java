package io.tributary.faults.reader;

import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.testkit.check.Report;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A copy of the bytes that a reader was served, in files of the same names at the same offsets (I8). Bytes that are served twice must be the same.
 * Written by the reader's thread; read by any thread.
 */
final class ServedCopy implements AutoCloseable {
    private static final int MOST_WORDS = 10;

    private final Path folder;
    private final TreeMap<String, Part> parts = new TreeMap<>();
    private final List<String> words = new ArrayList<>();
    private long checked;
    private long wrong;

    /**
     * Byte ranges that were never served. A reader that reconnects by GTID set does not receive the cut after a transaction that it has. If its
     * connection was lost between the two, it never receives this cut. Such ranges may contain only cuts.
     */
    private record Gap(long from, long end) {}

    private static final class Part {
        final FileChannel channel;
        final List<Gap> gaps = new ArrayList<>();
        long end = EventHeader.FILE_MAGIC_LENGTH; // which is not in any event

        Part(FileChannel channel) {
            this.channel = channel;
        }
    }

    ServedCopy(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /** Accepts an event's bytes, from position to limit; compares them with the bytes that it already has. */
    synchronized void put(String file, long offset, ByteBuffer bytes) throws IOException {
        Part part = parts.get(file);
        if (part == null) {
            part = new Part(FileChannel.open(
                    folder.resolve(file),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE));
            parts.put(file, part);
        }
        checked++;
        int length = bytes.remaining();
        if (offset < part.end
                && part.gaps.stream().noneMatch(gap -> offset < gap.end() && offset + length > gap.from())) {
            compare(file, part, offset, bytes.duplicate());
        }
        if (offset > part.end) {
            part.gaps.add(new Gap(part.end, offset));
        }
        part.channel.write(bytes.duplicate(), offset);
        part.end = Math.max(part.end, offset + length);
    }

    private void compare(String file, Part part, long offset, ByteBuffer bytes) throws IOException {
        int known = (int) Math.min(bytes.remaining(), part.end - offset);
        ByteBuffer before = ByteBuffer.allocate(known);
        while (before.hasRemaining() && part.channel.read(before, offset + before.position()) >= 0) {}
        int differs = before.flip().mismatch(bytes.limit(bytes.position() + known));
        if (differs >= 0) {
            add(file + ":" + (offset + differs) + " was served again with another byte");
        }
    }

    private void add(String what) {
        wrong++;
        if (words.size() < MOST_WORDS) {
            words.add(what);
        }
    }

    /** The end of the served bytes of a file; 0 for none. */
    synchronized long end(String file) {
        Part part = parts.get(file);
        return part == null ? 0 : part.end;
    }

    /** The last file of which bytes were served; empty for none. */
    synchronized String lastFile() {
        return parts.isEmpty() ? "" : parts.lastKey();
    }

    /** Compares all served bytes with the current files. */
    synchronized Report against(String name, Path original) throws IOException {
        for (var part : parts.entrySet()) {
            Path copy = folder.resolve(part.getKey());
            Path source = original.resolve(part.getKey());
            checked++;
            if (!Files.exists(source)) {
                add(part.getKey() + " was served and does not exist any more");
                continue;
            }
            long differs = firstDifference(copy, source, part.getValue().gaps);
            if (differs >= 0) {
                add(part.getKey() + ":" + differs + " differs from the bytes that were served");
            }
        }
        return new Report("I8 bytes served to " + name, checked, wrong, words);
    }

    /** The offset of the first served byte that differs; -1 for none. */
    private static long firstDifference(Path copy, Path source, List<Gap> gaps) throws IOException {
        byte[] served = Files.readAllBytes(copy);
        byte[] there = new byte[served.length];
        try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ)) {
            ByteBuffer into = ByteBuffer.wrap(there);
            while (into.hasRemaining() && channel.read(into, into.position()) >= 0) {}
            there = Arrays.copyOf(there, into.position());
        }
        int from = EventHeader.FILE_MAGIC_LENGTH;
        for (Gap gap : gaps) {
            long differs = difference(served, there, from, (int) gap.from());
            if (differs >= 0) {
                return differs;
            }
            long other = firstOtherThanACut(there, gap);
            if (other >= 0) {
                return other;
            }
            from = (int) gap.end();
        }
        return difference(served, there, from, served.length);
    }

    private static long firstOtherThanACut(byte[] there, Gap gap) {
        ByteBuffer view = ByteBuffer.wrap(there);
        int at = (int) gap.from();
        while (at < gap.end()) {
            if (gap.end() > there.length || EventHeader.type(view, at) != EventType.IGNORABLE_LOG_EVENT) {
                return at;
            }
            at += EventHeader.size(view, at);
        }
        return at == gap.end() ? -1 : gap.end();
    }

    private static long difference(byte[] served, byte[] there, int from, int end) {
        if (end > there.length) {
            return there.length;
        }
        int differs = Arrays.mismatch(served, from, end, there, from, end);
        return differs < 0 ? -1 : from + differs;
    }

    @Override
    public synchronized void close() throws IOException {
        for (Part part : parts.values()) {
            part.channel.close();
        }
    }
}
