package io.tributary.node.command.order;

import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.Manifest;
import io.tributary.backup.ObjectStores;
import io.tributary.backup.Progress;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Files of a backup that are read by a command. Each is copied into a temporary folder when it is needed, and the one before the last is deleted: the
 * folder has at most two of them, and small indexes. For one thread.
 */
final class BackupFiles implements AutoCloseable {
    private static final int MOST_COPIES = 2;

    private final ObjectStore store;
    private final Backup backup;
    private final Path folder;
    private final Runnable turn;
    private final Map<String, Manifest.Entry> entries = new LinkedHashMap<>();
    private final Deque<Path> copies = new ArrayDeque<>();

    private BackupFiles(ObjectStore store, Backup backup, Runnable turn) {
        this.store = store;
        this.backup = backup;
        this.turn = turn;
        try {
            this.folder = Files.createTempDirectory("tributary-backup");
        } catch (IOException e) {
            throw IoErrors.of(Path.of(System.getProperty("java.io.tmpdir")), "create a temporary folder", e);
        }
        backup.manifest().files().forEach(entry -> entries.put(entry.name(), entry));
    }

    /**
     * Opens the backup in a configuration.
     *
     * @param cluster the UUID of the GTIDs; empty if it is not known, then the backup must be of one cluster
     * @param turn is called during copies; what it throws ends them
     * @return empty if there is no backup in the configuration
     * @throws TributaryException BACKUP_FAILED if the store has no backup of the cluster, or does not answer; BACKUP_CORRUPT, CONFIG_INVALID
     */
    static Optional<BackupFiles> of(BackupConfig config, S3Config s3, Optional<UUID> cluster, Runnable turn) {
        ObjectStore store = ObjectStores.of(config, s3).orElse(null);
        if (store == null) {
            return Optional.empty();
        }
        try {
            String uuid = cluster.map(UUID::toString).orElseGet(() -> only(store, config.prefix()));
            return Optional.of(
                    new BackupFiles(store, new Backup(store, config.prefix(), uuid, BackupKeys.of(config)), turn));
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static String only(ObjectStore store, String prefix) {
        List<String> clusters = Backup.clusters(store, prefix);
        if (clusters.size() != 1) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED,
                    store + ": expected the backup of one cluster below '" + prefix + "', found "
                            + (clusters.isEmpty() ? "none" : clusters + "; set cluster.uuid"));
        }
        return clusters.get(0);
    }

    /** The source of its GTIDs. */
    Sid sid() {
        return new Sid(UUID.fromString(backup.cluster()));
    }

    /** Its files before the one with a number, oldest first; none of them is copied yet. */
    List<BinlogFile> before(int number) {
        return entries.values().stream()
                .filter(entry -> entry.number() < number)
                .map(this::file)
                .toList();
    }

    private BinlogFile file(Manifest.Entry entry) {
        GtidSet previous = entry.firstGno() <= 1
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder()
                        .addRange(sid(), 1, entry.firstGno() - 1)
                        .build();
        return new BinlogFile(folder.resolve(entry.name()), entry.size(), true, previous);
    }

    /** The number of the last transaction of a file of {@link #before}. */
    long last(BinlogFile file) {
        return entries.get(file.name()).lastGno();
    }

    /** When its first transaction was committed, µs since 1970; 0 if that is not known. */
    long firstMicros(BinlogFile file) {
        return entries.get(file.name()).firstMicros();
    }

    /** Whether a file is one of {@link #before}. */
    boolean has(BinlogFile file) {
        return file.path().startsWith(folder);
    }

    /** Copies a file, unless it is there. */
    void fetch(BinlogFile file) {
        if (Files.exists(file.path())) {
            return;
        }
        try {
            while (copies.size() >= MOST_COPIES) {
                Files.deleteIfExists(copies.removeFirst());
            }
            copies.addLast(file.path());
            backup.copy(entries.get(file.name()), file.path(), progress());
        } catch (TributaryException | IOException e) {
            throw e instanceof TributaryException known
                    ? known
                    : IoErrors.of(file.path(), "delete it", (IOException) e);
        }
    }

    private Progress progress() {
        return new Progress() {
            @Override
            public void begins(Manifest.Entry file) {
                turn.run();
            }

            @Override
            public void moved(long bytes) {
                turn.run();
            }

            @Override
            public void ended(Manifest.Entry file, String how) {
                turn.run();
            }
        };
    }

    /** Copies the index of a file, unless it is there; it is made from the file if the backup lacks it. */
    void fetchIndex(BinlogFile file) {
        if (Files.exists(file.indexPath())) {
            return;
        }
        if (!backup.copyIndex(entries.get(file.name()), file.indexPath())) {
            fetch(file);
            var unused = SparseIndex.of(file);
        }
    }

    @Override
    public void close() {
        store.close();
        TemporaryFolder.delete(folder);
    }
}
