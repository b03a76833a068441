package io.tributary.binlog.file;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Keeps other nodes out of a folder: a lock of the operating system, which ends with the process that holds it. */
public final class DirectoryLock implements AutoCloseable {
    static final String FILE = "tributary.lock";
    private static final int LONGEST_PID = 20;

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @throws TributaryException DIRECTORY_IN_USE naming the process that holds it
     */
    static DirectoryLock acquire(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw inUse(folder, "process " + holder(channel));
            }
            channel.truncate(0);
            channel.write(pid(), 0);
            return new DirectoryLock(channel);
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw inUse(folder, "this process");
        } catch (IOException | TributaryException e) {
            channel.close();
            throw e;
        }
    }

    /** The process that holds a folder's lock; empty when none does. Takes the lock for a moment when it is free. */
    public static Optional<String> holder(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null ? Optional.of("process " + holder(channel)) : Optional.empty();
        } catch (OverlappingFileLockException e) { // this process holds it on another channel
            return Optional.of("this process");
        }
    }

    private static TributaryException inUse(Path folder, String holder) {
        return new TributaryException(
                ErrorCode.DIRECTORY_IN_USE, folder + ": expected its lock to be free, found it held by " + holder);
    }

    private static ByteBuffer pid() {
        return ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(LONGEST_PID);
        channel.read(text, 0);
        String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).trim();
        return pid.isEmpty() ? "(id unknown)" : pid;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
