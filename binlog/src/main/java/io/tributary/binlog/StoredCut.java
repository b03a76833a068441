package io.tributary.binlog;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogIndex;
import io.tributary.binlog.file.CopyIdentity;
import io.tributary.binlog.file.DirectoryLock;
import io.tributary.binlog.file.FileVerifier;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.ServerIdentity;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads a binlog folder without taking its lock and without changing it: a node may be writing there. */
public final class StoredCut {
    private StoredCut() {}

    /**
     * The last cut, from which a node continues; empty when nothing has been written yet.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when the folder cannot be read or belongs to another cluster; BINLOG_CORRUPT when a
     *     file that the index names is missing
     */
    public static Optional<Cut> last(BinlogConfig config) {
        Path folder = config.directory();
        BinlogIndex index = new BinlogIndex(folder.resolve(config.name() + ".index"));
        try {
            Optional<UUID> uuid = uuid(config);
            if (uuid.isEmpty() || !index.exists()) {
                return Optional.empty();
            }
            List<String> names = index.read();
            for (int i = names.size() - 1; i >= 0; i--) {
                Optional<Cut> found = last(folder.resolve(names.get(i)), uuid.get());
                if (found.isPresent()) {
                    return found.filter(cut -> !cut.shards().isEmpty());
                }
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT, e.getFile() + ": expected the file that the index names, found none", e);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, folder + ": expected binlog files to read, found " + e, e);
        }
    }

    /**
     * The UUID of the GTIDs in the folder's files; empty when there is none yet.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when the folder cannot be read or belongs to another cluster
     */
    public static Optional<UUID> uuid(BinlogConfig config) {
        Path folder = config.directory();
        try {
            return Files.exists(folder.resolve(ServerIdentity.FILE))
                    ? Optional.of(ServerIdentity.kept(folder, config.clusterUuid()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, folder + ": expected a UUID to read, found " + e, e);
        }
    }

    /**
     * The identity of the folder's copy of the binlog; empty when there is none yet.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when the folder cannot be read
     */
    public static Optional<UUID> copy(BinlogConfig config) {
        try {
            return CopyIdentity.kept(config.directory());
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE,
                    config.directory() + ": expected to read the identity of this copy, found " + e,
                    e);
        }
    }

    private static Optional<Cut> last(Path file, UUID uuid) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            FileVerifier tail = FileVerifier.scan(ReadableBytes.of(channel), uuid);
            return tail.hasCut() ? Optional.of(tail.cut()) : Optional.empty();
        }
    }

    /**
     * The process that holds the folder's lock; empty when it is free.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when the lock file cannot be opened
     */
    public static Optional<String> holder(Path folder) {
        try {
            return DirectoryLock.holder(folder);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, folder + ": expected a lock file to open, found " + e, e);
        }
    }
}
