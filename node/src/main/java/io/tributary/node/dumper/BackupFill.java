package io.tributary.node.dumper;

import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.BackupState;
import io.tributary.backup.Manifest;
import io.tributary.backup.Progress;
import io.tributary.backup.Restore;
import io.tributary.backup.store.ObjectStore;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.node.process.Startup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restores a binlog folder from the backup before a node starts, if the folder is empty or its restore was interrupted. */
public final class BackupFill {
    private static final Logger LOG = LoggerFactory.getLogger(BackupFill.class);

    private final BackupConfig config;
    private final BinlogConfig binlog;
    private final Optional<ObjectStore> store;
    private final BackupState known;
    private final Startup startup;

    /**
     * @param store that contains the backup; empty if there is no backup
     * @param known state of the backup that this node has recorded
     * @param startup waits for a store that does not answer
     */
    BackupFill(
            BackupConfig config, BinlogConfig binlog, Optional<ObjectStore> store, BackupState known, Startup startup) {
        this.config = config;
        this.binlog = binlog;
        this.store = store;
        this.known = known;
        this.startup = startup;
    }

    /** Wraps a restore in retries with the pauses of the backup, as long as the store fails with BACKUP_FAILED; any other failure ends the start. */
    public BinlogDirectory.Filling retryUntilAvailable(BinlogDirectory.Filling filling) {
        return folder -> startup.<Void, IOException>retryUntilAvailable(
                () -> {
                    filling.fill(folder);
                    return null;
                },
                () -> store.ifPresent(ObjectStore::close),
                failure -> failure.code() == ErrorCode.BACKUP_FAILED,
                new Backoff(config.retry().toNanos(), config.retryMax().toNanos()));
    }

    /**
     * Restores a binlog folder from the backup if the folder is empty or its restore was interrupted. Any other folder stays as it is.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE, BACKUP_FAILED, BACKUP_REFUSED, BACKUP_CORRUPT; BACKUP_CONFLICT when the store has
     *     several clusters and the configuration names none: a node that starts with an empty folder would begin another binlog than the backup's
     */
    public void fill(Path folder) throws IOException {
        fill(folder, Optional.empty());
    }

    /**
     * Like {@link #fill(Path)}, for a known cluster.
     *
     * @param uuid of the cluster, if other nodes have already defined it
     */
    public void fill(Path folder, Optional<UUID> uuid) throws IOException {
        if (store.isEmpty()) {
            requireNoneCutOff(folder);
        } else if (Restore.isUnfinished(folder) || Restore.isEmpty(folder)) {
            cluster(store.get(), uuid).ifPresent(cluster -> restore(store.get(), cluster, folder));
        }
    }

    /**
     * Checks the folder for a start without a restore.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when an earlier restore has started and not ended
     */
    public void requireNoneCutOff(Path folder) {
        if (Restore.isUnfinished(folder)) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE,
                    folder + ": expected a complete binlog, found one whose restore was interrupted:"
                            + " run tributary backup restore again");
        }
    }

    /** The cluster whose backup is in the store; empty when there is none yet. */
    private Optional<String> cluster(ObjectStore place, Optional<UUID> uuid) {
        Optional<String> wanted = uuid.map(UUID::toString).or(binlog::clusterUuid);
        List<String> clusters = Backup.clusters(place, config.prefix()).stream()
                .filter(found -> wanted.isEmpty() || wanted.get().equalsIgnoreCase(found))
                .filter(found -> !backup(place, found).manifest().files().isEmpty()) // otherwise it has only begun
                .toList();
        if (clusters.size() > 1) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CONFLICT,
                    place + ": expected the backup of one cluster below '" + config.prefix() + "', found " + clusters
                            + ": set cluster.uuid to the one to restore");
        }
        if (clusters.isEmpty()) {
            requireNeverThere(place, wanted.orElse(""));
        }
        return clusters.stream().findFirst();
    }

    /** Fails if the empty folder has a note of a backup: then its files were deleted because a backup exists. */
    private void requireNeverThere(ObjectStore place, String wanted) {
        known.place()
                .filter(noted -> noted.startsWith(place + "/") && noted.contains(wanted))
                .ifPresent(noted -> {
                    throw new TributaryException(
                            ErrorCode.BACKUP_FAILED,
                            noted + ": expected the backup of " + binlog.directory()
                                    + ", which is empty, found nothing: " + known.remedy());
                });
    }

    private void restore(ObjectStore place, String cluster, Path folder) {
        Backup backup = backup(place, cluster);
        List<Manifest.Entry> files = backup.manifest().files();
        LOG.info(
                "restore from backup starts: directory={} reason=\"no complete binlog\" cluster={} store={} files={} bytes={}",
                folder,
                cluster,
                place,
                files.size(),
                files.stream().mapToLong(Manifest.Entry::size).sum());
        Restore.run(backup, folder, new Progress() {
            @Override
            public void begins(Manifest.Entry file) {
                LOG.debug("restore of file starts: file={}", file.name());
            }

            @Override
            public void moved(long bytes) {
                // one line per file is enough
            }

            @Override
            public void ended(Manifest.Entry file, String how) {
                LOG.info("file restored: file={} result=\"{}\"", file.name(), how);
            }
        });
        LOG.info(
                "restore from backup ends: directory={} effect=\"transactions after the backup's last cut are read from the shards"
                        + " again\"",
                folder);
    }

    private Backup backup(ObjectStore place, String cluster) {
        return new Backup(place, config.prefix(), cluster, BackupKeys.of(config));
    }
}
