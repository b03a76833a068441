package io.tributary.dumper;

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

/** The folder of the binlog files, held by this node alone: its lock, the UUID kept in it, and the names in it. */
public final class BinlogDirectory implements AutoCloseable {
    private final Path path;
    private final String name;
    private final DirectoryLock lock;
    private volatile UUID serverUuid;
    private final Pattern fileNames;
    private volatile OldestHeld elsewhere = OldestHeld.NONE;
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
     * Creates the folder where it is missing and takes its lock.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when it cannot be created, read or written, or is another cluster's;
     *     DIRECTORY_IN_USE when another node has it
     */
    public static BinlogDirectory open(BinlogConfig config, Clock clock) {
        return open(config, clock, path -> {});
    }

    /** What may put files into a folder that has none. */
    public interface Filling {
        void fill(Path folder) throws IOException;
    }

    /**
     * As above.
     *
     * @param filling asked once nobody else has the folder and before anything in it is read
     */
    public static BinlogDirectory open(BinlogConfig config, Clock clock, Filling filling) {
        Path path = config.directory();
        DirectoryLock lock = null;
        try {
            DirectorySync.create(path);
            lock = DirectoryLock.take(path);
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
     * Takes the leader's UUID over, where there is no file yet whose GTIDs have another one.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when it holds another cluster's files
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
            throw DiskTrouble.of(path, "keep the leader's UUID", e);
        }
    }

    /**
     * Which copy of the binlog it is: the same as long as its files go on, another one where they began anew, whatever the node is called.
     *
     * @throws TributaryException IO_FAILED
     */
    public UUID copyId(Clock clock) {
        try {
            return CopyIdentity.of(path, clock);
        } catch (IOException e) {
            throw DiskTrouble.of(path, "read which copy it is", e);
        }
    }

    /** It is another copy from now on: what was acknowledged with its files before, it does not have. */
    public void renewCopyId(Clock clock) {
        try {
            CopyIdentity.renew(path, clock);
        } catch (IOException e) {
            throw DiskTrouble.of(path, "keep which copy it is", e);
        }
    }

    /**
     * The journal's map: since the last recovery, and the changes that were placed behind it. Who writes changes it; others read while
     * nobody writes.
     */
    public JournalMap journal() {
        return journal;
    }

    Path indexPath() {
        return path.resolve(name + ".index");
    }

    /** The name of the file with a number, 1 up: {@code binlog.000001}. */
    public String fileName(int number) {
        return String.format("%s.%06d", name, number);
    }

    static int number(String fileName) {
        return Integer.parseInt(fileName.substring(fileName.lastIndexOf('.') + 1));
    }

    /** What a leader said last of what is needed there: a purge here keeps it too. */
    public void keep(OldestHeld said) {
        elsewhere = said;
    }

    /** The oldest file that is needed elsewhere. */
    OldestHeld elsewhere() {
        return elsewhere;
    }

    /** Names of all binlog files in it, by number, whether the index has them or not. */
    List<String> fileNames() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(entry -> fileNames.matcher(entry).matches())
                    .sorted((a, b) -> Integer.compare(number(a), number(b)))
                    .toList();
        }
    }

    /**
     * The server version that its newest file names; empty where there is no file that names one.
     *
     * @throws TributaryException IO_FAILED
     */
    public Optional<String> newestVersion() {
        try {
            List<String> names = fileNames();
            return names.isEmpty() ? Optional.empty() : FileHead.version(path.resolve(names.get(names.size() - 1)));
        } catch (IOException e) {
            throw DiskTrouble.of(path, "read the newest file's head", e);
        }
    }

    private static void release(Path path, DirectoryLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            throw DiskTrouble.of(path, "release its lock", e);
        }
    }

    /** Gives the lock back. */
    @Override
    public void close() {
        journal.close();
        release(path, lock);
    }
}
