package io.tributary.faults.reader;

import io.tributary.testkit.check.Report;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * I8: the bytes that a reader was served, in files of the same names, each at its offset. What is served twice has to be the
 * same. Written by the reader's thread; asked by any.
 */
final class ServedCopy implements AutoCloseable {
    private static final int MOST_WORDS = 10;

    private final Path folder;
    private final TreeMap<String, Part> parts = new TreeMap<>();
    private final List<String> words = new ArrayList<>();
    private long checked;
    private long wrong;

    private static final class Part {
        final FileChannel channel;
        long end;

        Part(FileChannel channel) {
            this.channel = channel;
        }
    }

    ServedCopy(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /** Takes an event's bytes, from position to limit; compares those that it has already. */
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
        if (offset < part.end) {
            compare(file, part, offset, bytes.duplicate());
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

    /** How far a file was served; 0 for nothing of it. */
    synchronized long end(String file) {
        Part part = parts.get(file);
        return part == null ? 0 : part.end;
    }

    /** The last file that something was served of; empty for none. */
    synchronized String lastFile() {
        return parts.isEmpty() ? "" : parts.lastKey();
    }

    /** Compares all with the files as they are now. */
    synchronized Report against(Path original) throws IOException {
        for (var part : parts.entrySet()) {
            Path copy = folder.resolve(part.getKey());
            Path source = original.resolve(part.getKey());
            checked++;
            if (!Files.exists(source)) {
                add(part.getKey() + " was served and is gone");
                continue;
            }
            long skip = firstHole(copy, source);
            if (skip >= 0) {
                add(part.getKey() + ":" + skip + " is not what was served");
            }
        }
        return new Report("I8 served bytes", checked, wrong, words);
    }

    /** The first byte of the copy that differs; a copy has no first four bytes, which no event holds. */
    private static long firstHole(Path copy, Path source) throws IOException {
        ByteBuffer served = ByteBuffer.wrap(Files.readAllBytes(copy));
        try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ)) {
            ByteBuffer there = ByteBuffer.allocate(served.limit());
            while (there.hasRemaining() && channel.read(there, there.position()) >= 0) {}
            there.flip();
            int from = Math.min(4, Math.min(served.limit(), there.limit()));
            int differs = served.position(from).mismatch(there.position(from));
            return differs < 0 ? -1 : from + differs;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        for (Part part : parts.values()) {
            part.channel.close();
        }
    }
}
