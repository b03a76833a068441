package io.tributary.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The spill's folder: used by one store at a time; only its folder {@code payload} is wiped. */
final class SpillDirectory implements AutoCloseable {
    private final Path payload;
    private final FileChannel lockFile;

    /** Locks and wipes the folder. */
    SpillDirectory(Path directory) {
        this.payload = directory.resolve("payload");
        try {
            Files.createDirectories(directory);
            this.lockFile = lock(directory);
            wipe();
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, "expected store.directory " + directory + " to be writable: " + e, e);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("store.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) { // held within this process
            locked = false;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_IN_USE,
                    "expected store.directory " + directory + " to be free, found the lock of another store");
        }
        return channel;
    }

    private void wipe() throws IOException {
        if (!Files.exists(payload)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> walk = Files.walk(payload)) {
            found = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.delete(path);
        }
    }

    /** The folder for RocksDB's files; not created yet. */
    Path payload() {
        return payload;
    }

    /** Wipes the folder and releases its lock. */
    @Override
    public void close() {
        try (FileChannel held = lockFile) {
            wipe();
            held.force(false);
        } catch (IOException e) {
            throw new TributaryException(ErrorCode.IO_FAILED, "expected to wipe " + payload + ": " + e, e);
        }
    }
}
