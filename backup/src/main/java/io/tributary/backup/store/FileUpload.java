package io.tributary.backup.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** An upload to a file that gets its name when it is complete and on disk. A lock ensures that only one upload runs at a time, also across nodes. */
final class FileUpload implements ObjectStore.Upload {
    private final Path path;
    private final Path part;
    private final Path metadataPath;
    private final String metadata;
    private final FileChannel lock; // held until this is closed
    private final FileChannel channel;
    private long sent;

    /**
     * @param lock the file to lock
     * @param metadata written to its own file beside it, unless it is empty
     * @throws TributaryException BACKUP_FAILED while another upload runs
     */
    FileUpload(Path path, Path lock, Path part, Path metadataPath, String metadata) throws IOException {
        this.path = path;
        this.part = part;
        this.metadataPath = metadataPath;
        this.metadata = metadata;
        this.lock = lock(lock);
        try {
            this.channel = open(part);
        } catch (IOException e) {
            this.lock.close(); // else this process would lock itself out
            throw e;
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean isTaken = false;
        try {
            isTaken = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // handled below
        } finally {
            if (!isTaken) {
                channel.close();
            }
        }
        if (!isTaken) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED, path + ": expected to lock it, found that another node sends files now");
        }
        return channel;
    }

    static FileChannel open(Path part) throws IOException {
        return FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                sent += channel.write(bytes);
            }
        } catch (IOException e) {
            throw DirectoryObjectStore.failed(part, "write it", e);
        }
    }

    @Override
    public long sent() {
        return sent;
    }

    @Override
    public void finish() {
        try {
            channel.force(true);
            if (Files.exists(path)) {
                throw new TributaryException(
                        ErrorCode.BACKUP_CONFLICT, path + ": expected no such file, found one; it is kept");
            }
            if (!metadata.isEmpty()) {
                DirectoryObjectStore.write(metadataPath, metadata.getBytes(StandardCharsets.UTF_8));
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
            DirectoryObjectStore.force(path.getParent());
        } catch (IOException e) {
            throw DirectoryObjectStore.failed(path, "finish it", e);
        }
    }

    @Override
    public void close() {
        try (lock;
                channel) {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw DirectoryObjectStore.failed(part, "remove it", e);
        }
    }
}
