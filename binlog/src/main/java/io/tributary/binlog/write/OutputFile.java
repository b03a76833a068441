package io.tributary.binlog.write;

import io.tributary.binlog.file.DirectorySync;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The binlog file that is being written, with its sparse index. Both are append-only. */
final class OutputFile implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;
    private final FileChannel index;

    private OutputFile(Path path, FileChannel channel, FileChannel index) {
        this.path = path;
        this.channel = channel;
        this.index = index;
    }

    /** Continues at the end of a file that was truncated to this size. */
    static OutputFile resume(FileOpener opener, Path path, long size) {
        return open(opener, path, size, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** Creates a file with its head; content and name are durable when this returns. */
    static OutputFile create(FileOpener opener, Path path, ByteBuffer head) {
        OutputFile file = open(opener, path, 0, StandardOpenOption.CREATE_NEW, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            file.write(new ByteBuffer[] {head}, 1);
            file.force();
            DirectorySync.force(path.toAbsolutePath().getParent());
            return file;
        } catch (IOException e) {
            file.close();
            throw IoErrors.of(path, "create the file", e);
        }
    }

    private static OutputFile open(
            FileOpener opener, Path path, long size, StandardOpenOption how, StandardOpenOption index) {
        try {
            FileChannel channel = opener.open(path, StandardOpenOption.WRITE, how);
            channel.position(size);
            FileChannel sidecar = opener.open(
                    path.resolveSibling(path.getFileName() + ".idx"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    index);
            return new OutputFile(path, channel, sidecar);
        } catch (IOException e) {
            throw IoErrors.of(path, "open the file for writing", e);
        }
    }

    Path path() {
        return path;
    }

    /** Writes the first {@code count} buffers, each from its position to its limit; returns the number of bytes. */
    long write(ByteBuffer[] buffers, int count) {
        long bytes = 0;
        long left = 0;
        for (int i = 0; i < count; i++) {
            left += buffers[i].remaining();
        }
        try {
            int first = 0;
            while (left > 0) {
                long done = channel.write(buffers, first, count - first);
                left -= done;
                bytes += done;
                while (first < count && !buffers[first].hasRemaining()) {
                    first++;
                }
            }
            return bytes;
        } catch (IOException e) {
            throw IoErrors.of(path, "write " + left + " bytes more", e);
        }
    }

    void mark(SparseEntry entry) {
        try {
            SparseIndex.append(index, entry);
        } catch (IOException e) {
            throw IoErrors.of(path, "write its sparse index", e);
        }
    }

    void force() {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw IoErrors.of(path, "sync the file to disk", e);
        }
    }

    @Override
    public void close() {
        try {
            index.close();
            channel.close();
        } catch (IOException e) {
            throw IoErrors.of(path, "close the file", e);
        }
    }
}
