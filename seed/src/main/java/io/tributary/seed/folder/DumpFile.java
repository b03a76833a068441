package io.tributary.seed.folder;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A file of a dump while it is written. It has a temporary name until it is complete and on disk; if it is closed before, it is removed. For one
 * thread. Its methods throw DISK_FULL and IO_FAILED.
 */
public final class DumpFile implements AutoCloseable {
    private static final String DRAFT = ".unfinished";
    private static final int BUFFER = 1 << 18;

    private final Path file;
    private final Path draft;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private long size;

    private DumpFile(Path file, FileChannel channel) {
        this.file = file;
        this.draft = draft(file);
        this.channel = channel;
    }

    private static Path draft(Path file) {
        return file.resolveSibling(file.getFileName() + DRAFT);
    }

    /** Begins a file that does not exist yet. Only its owner and its group may read it. */
    static DumpFile create(Path file, String permissions) {
        try {
            return new DumpFile(
                    file,
                    FileChannel.open(
                            draft(file),
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            DumpFolder.mode(permissions)));
        } catch (IOException e) {
            throw FileErrors.of(file, e);
        }
    }

    /** Appends a text in UTF-8. */
    public DumpFile add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        add(ByteBuffer.wrap(bytes));
        return this;
    }

    /** Appends the readable bytes. */
    public DumpFile add(ByteBuf view) {
        add(view.nioBuffer());
        return this;
    }

    private void add(ByteBuffer bytes) {
        size += bytes.remaining();
        if (bytes.remaining() <= buffer.remaining()) {
            buffer.put(bytes);
            return;
        }
        flush();
        if (bytes.remaining() <= buffer.capacity() / 2) {
            buffer.put(bytes);
        } else {
            write(bytes);
        }
    }

    /** Appends a text, completes the file and closes it. */
    void completeWith(String text) {
        try (this) {
            add(text).complete();
        }
    }

    /** Bytes that were appended. */
    public long size() {
        return size;
    }

    private void flush() {
        write(buffer.flip());
        buffer.clear();
    }

    private void write(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw FileErrors.of(file, e);
        }
    }

    /** Gives it its name, after all its bytes are on disk; nothing can be appended after that. */
    public void complete() {
        flush();
        try {
            channel.force(true);
            channel.close();
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            DumpFolder.force(file.getParent());
        } catch (IOException e) {
            throw FileErrors.of(file, e);
        }
    }

    /** Removes it if it is not complete. */
    @Override
    public void close() {
        if (channel.isOpen()) {
            try {
                channel.close();
                Files.deleteIfExists(draft);
            } catch (IOException e) {
                throw FileErrors.of(file, e);
            }
        }
    }
}
