package io.tributary.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The file {@code tso.high-water}. It contains a timestamp that is larger than all handed-out ones and is durable before any of them is handed out.
 * It has two slots of one sector each, written in turn: magic u32, CRC32C u32 of the value, value u64. A write that is torn by a crash leaves the
 * other slot, whose value was larger than all timestamps handed out until then. The file's lock prevents a second service.
 */
final class HighWaterFile implements AutoCloseable {
    static final String NAME = "tso.high-water";
    static final int SLOT = 512;

    private static final int MAGIC = 0x4f53_5454; // "TTSO"
    private static final int CHECKSUM_AT = 4;
    private static final int VALUE_AT = 8;
    private static final int LENGTH = 16;

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer slot = ByteBuffer.allocate(LENGTH);
    private long value;
    private int nextSlot;

    private HighWaterFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates folder and file if they are missing, takes the lock and reads the mark.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE, TSO_MARK_DAMAGED
     */
    static HighWaterFile open(Path directory) {
        Path path = directory.resolve(NAME);
        FileChannel channel = null;
        HighWaterFile file = null;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock(channel, path);
            HighWaterFile opened = new HighWaterFile(path, channel);
            opened.read();
            file = opened;
            return file;
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, directory + ": expected a folder to read and write, found " + e, e);
        } finally {
            if (file == null) {
                close(channel);
            }
        }
    }

    private static void lock(FileChannel channel, Path path) throws IOException {
        boolean isTaken;
        try {
            isTaken = channel.tryLock() == null;
        } catch (OverlappingFileLockException e) {
            isTaken = true;
        }
        if (isTaken) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_IN_USE,
                    path + ": expected to be the only TSO service here, found its lock held");
        }
    }

    private void read() throws IOException {
        if (channel.size() == 0) {
            force(path.toAbsolutePath().getParent());
            return;
        }
        boolean isFound = false;
        for (int i = 0; i < 2; i++) {
            slot.clear();
            int length = channel.read(slot, (long) i * SLOT);
            if (length == LENGTH && isWhole()) {
                long found = LittleEndian.getLong(slot, VALUE_AT);
                if (!isFound || found > value) {
                    value = found;
                    nextSlot = 1 - i;
                }
                isFound = true;
            }
        }
        if (!isFound) {
            throw new TributaryException(
                    ErrorCode.TSO_MARK_DAMAGED,
                    path + ": expected a high-water mark with its checksum, found none in " + channel.size()
                            + " bytes");
        }
    }

    private boolean isWhole() {
        return LittleEndian.getInt(slot, 0) == MAGIC
                && LittleEndian.getInt(slot, CHECKSUM_AT) == checksum()
                && LittleEndian.getLong(slot, VALUE_AT) >= 0;
    }

    private int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(slot.array(), VALUE_AT, Long.BYTES);
        return (int) crc.getValue();
    }

    private static void force(Path folder) throws IOException {
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /** The mark; 0 in a new file. */
    long value() {
        return value;
    }

    /**
     * Raises the mark; it is durable when this returns.
     *
     * @throws TributaryException IO_FAILED; the mark is unchanged
     */
    void raise(long to) {
        LittleEndian.putInt(slot, 0, MAGIC);
        LittleEndian.putLong(slot, VALUE_AT, to);
        LittleEndian.putInt(slot, CHECKSUM_AT, checksum());
        slot.clear();
        try {
            long at = (long) nextSlot * SLOT;
            while (slot.hasRemaining()) {
                channel.write(slot, at + slot.position());
            }
            channel.force(true);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, path + ": expected to raise the high-water mark, found " + e, e);
        }
        value = to;
        nextSlot = 1 - nextSlot;
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new TributaryException(ErrorCode.IO_FAILED, "expected to close a file, found " + e, e);
        }
    }
}
