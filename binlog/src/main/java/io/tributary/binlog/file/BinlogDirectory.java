package io.tributary.binlog.file;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folder of the binlog files, which only this node uses: its lock, its UUID, and the names of its files. */
public final class BinlogDirectory implements AutoCloseable {
    private final Path path;
    private final String name;
    private final DirectoryLock lock;
    private volatile UUID serverUuid;
    private final Pattern fileNames;
    private volatile RetentionHold leaderHold = RetentionHold.NONE;
    private final JournalMap journal;

    private BinlogDirectory(Path path, String name, DirectoryLock lock, UUID serverUuid) {
        this.path = path;
        this.name = name;
        this.lock = lock;
        this.serverUuid = serverUuid;
        this.journal = JournalMap.at(path.resolve("journal"));
        this.fileNames = Pattern.compile(Pattern.quote(name) + "\\.\\d{6,10}");
    }

    /**
     * Creates the folder if it is missing and takes its lock.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when it cannot be created, read or written, or belongs to another cluster;
     *     DIRECTORY_IN_USE when another node holds its lock
     */
    public static BinlogDirectory open(BinlogConfig config, Clock clock) {
        return open(config, clock, path -> {});
    }

    /** Puts files into an empty folder, for example from a backup. */
    public interface Filling {
        void fill(Path folder) throws IOException;
    }

    /**
     * Creates the folder if it is missing, takes its lock and lets {@code filling} put files into it.
     *
     * @param filling called after the lock is taken and before anything in the folder is read
     */
    public static BinlogDirectory open(BinlogConfig config, Clock clock, Filling filling) {
        Path path = config.directory();
        DirectoryLock lock = null;
        try {
            DirectorySync.create(path);
            lock = DirectoryLock.acquire(path);
            filling.fill(path);
            UUID uuid = ServerIdentity.of(path, config.clusterUuid(), clock);
            BinlogDirectory directory = new BinlogDirectory(path, config.name(), lock, uuid);
            lock = null;
            return directory;
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, path + ": expected a folder to read and write, found " + e, e);
        } finally {
            if (lock != null) {
                release(path, lock);
            }
        }
    }

    public Path path() {
        return path;
    }

    /** The UUID of the GTIDs in its files. */
    public UUID serverUuid() {
        return serverUuid;
    }

    /**
     * Uses the leader's UUID from now on, unless the folder has files whose GTIDs have another UUID.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when it holds the files of another cluster
     */
    public void adopt(UUID uuid) {
        try {
            if (uuid.equals(serverUuid)) {
                return;
            }
            if (!fileNames().isEmpty()) {
                throw new TributaryException(
                        ErrorCode.DIRECTORY_UNUSABLE,
                        path + ": expected the binlog of the leader's cluster.uuid " + uuid + ", found that of "
                                + serverUuid + "; nothing is overwritten");
            }
            ServerIdentity.keep(path, uuid);
            serverUuid = uuid;
        } catch (IOException e) {
            throw IoErrors.of(path, "keep the leader's UUID", e);
        }
    }

    /**
     * The identity of this copy of the binlog. It stays the same while the same files are continued, also when the node gets another
     * name. It changes when the files begin again.
     *
     * @throws TributaryException IO_FAILED
     */
    public UUID copyId(Clock clock) {
        try {
            return CopyIdentity.of(path, clock);
        } catch (IOException e) {
            throw IoErrors.of(path, "read the identity of this copy", e);
        }
    }

    /** Gives this copy a new identity: the new copy does not have what was acknowledged with the files before. */
    public void renewCopyId(Clock clock) {
        try {
            CopyIdentity.renew(path, clock);
        } catch (IOException e) {
            throw IoErrors.of(path, "keep the identity of this copy", e);
        }
    }

    /**
     * The journal's map: as of the last recovery, plus the changes that were placed after it. The writer changes it; other threads read it
     * only while nothing is written.
     */
    public JournalMap journal() {
        return journal;
    }

    public Path indexPath() {
        return path.resolve(name + ".index");
    }

    /** Name of the file with a number (from 1): {@code binlog.000001}. */
    public String fileName(int number) {
        return String.format("%s.%06d", name, number);
    }

    public static int number(String fileName) {
        return Integer.parseInt(fileName.substring(fileName.lastIndexOf('.') + 1));
    }

    /** Keeps the files that the leader reported as needed: a purge on this node keeps them too. */
    public void setLeaderHold(RetentionHold hold) {
        leaderHold = hold;
    }

    /** The oldest file that is needed on the leader. */
    public RetentionHold leaderHold() {
        return leaderHold;
    }

    /** Names of all binlog files in the folder, sorted by number, whether the index lists them or not. */
    public List<String> fileNames() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(entry -> fileNames.matcher(entry).matches())
                    .sorted((a, b) -> Integer.compare(number(a), number(b)))
                    .toList();
        }
    }

    /**
     * The server version in its newest file; empty when there is no file with a version.
     *
     * @throws TributaryException IO_FAILED
     */
    public Optional<String> newestVersion() {
        try {
            List<String> names = fileNames();
            return names.isEmpty() ? Optional.empty() : FileHead.version(path.resolve(names.get(names.size() - 1)));
        } catch (IOException e) {
            throw IoErrors.of(path, "read the newest file's head", e);
        }
    }

    private static void release(Path path, DirectoryLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            throw IoErrors.of(path, "release its lock", e);
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        journal.close();
        release(path, lock);
    }
}
