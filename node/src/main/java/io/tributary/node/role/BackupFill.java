package io.tributary.node.role;

import io.tributary.backup.BackedUp;
import io.tributary.backup.Backup;
import io.tributary.backup.BackupConfig;
import io.tributary.backup.BackupKeys;
import io.tributary.backup.Manifest;
import io.tributary.backup.ObjectStore;
import io.tributary.backup.Progress;
import io.tributary.backup.Restore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills a binlog folder from the backup before a node begins: one that is empty, or whose restore was cut off. */
final class BackupFill {
    private static final Logger LOG = LoggerFactory.getLogger(BackupFill.class);

    private final BackupConfig config;
    private final BinlogConfig binlog;
    private final Optional<ObjectStore> store;
    private final BackedUp known;
    private final Startup startup;

    /**
     * @param store where the backup is; empty where none is kept
     * @param known what is known of it here
     * @param startup waits for a store that is silent
     */
    BackupFill(BackupConfig config, BinlogConfig binlog, Optional<ObjectStore> store, BackedUp known, Startup startup) {
        this.config = config;
        this.binlog = binlog;
        this.store = store;
        this.known = known;
        this.startup = startup;
    }

    /** A folder's filling, tried again with the backup's pauses as long as the store fails by what may pass; what else it fails by ends the start. */
    BinlogDirectory.Filling patiently(BinlogDirectory.Filling filling) {
        return folder -> startup.<Void, IOException>patiently(
                () -> {
                    filling.fill(folder);
                    return null;
                },
                () -> store.ifPresent(ObjectStore::close),
                failure -> failure.code() == ErrorCode.BACKUP_FAILED,
                new Pauses(config.retry().toNanos(), config.retryMax().toNanos()));
    }

    /**
     * Fills a binlog folder that is empty, or whose restore was cut off, from the backup; a folder that is not stays as it is.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE, BACKUP_FAILED, BACKUP_REFUSED, BACKUP_CORRUPT, BACKUP_CONFLICT when there are
     *     several clusters and nothing says which: an empty folder would begin a binlog that is not the backup's
     */
    void fill(Path folder) throws IOException {
        fill(folder, Optional.empty());
    }

    /**
     * As above.
     *
     * @param uuid the cluster's, where others have said it already
     */
    void fill(Path folder, Optional<UUID> uuid) throws IOException {
        if (store.isEmpty()) {
            requireNoneCutOff(folder);
        } else if (Restore.isUnfinished(folder) || Restore.isEmpty(folder)) {
            cluster(store.get(), uuid).ifPresent(cluster -> restore(store.get(), cluster, folder));
        }
    }

    /**
     * For a start that fills nothing.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE where a restore has begun and not ended
     */
    void requireNoneCutOff(Path folder) {
        if (Restore.isUnfinished(folder)) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE,
                    folder + ": expected a whole binlog, found one whose restore was cut off:"
                            + " run tributary backup restore again");
        }
    }

    /** Whose backup this is; empty when there is none yet. */
    private Optional<String> cluster(ObjectStore place, Optional<UUID> uuid) {
        Optional<String> wanted = uuid.map(UUID::toString).or(binlog::clusterUuid);
        List<String> clusters = Backup.clusters(place, config.prefix()).stream()
                .filter(found -> wanted.isEmpty() || wanted.get().equalsIgnoreCase(found))
                .filter(found -> !backup(place, found).manifest().files().isEmpty()) // else it has only begun
                .toList();
        if (clusters.size() > 1) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CONFLICT,
                    place + ": expected the backup of one cluster below '" + config.prefix() + "', found " + clusters
                            + "; say with cluster.uuid with which to begin");
        }
        if (clusters.isEmpty()) {
            requireNeverThere(place, wanted.orElse(""));
        }
        return clusters.stream().findFirst();
    }

    /** The folder is empty, and has a note of a backup: its files were thrown away because there is one. */
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
                "{} is empty: it is filled from the backup of cluster {} in {}, {} files with {} bytes",
                folder,
                cluster,
                place,
                files.size(),
                files.stream().mapToLong(Manifest.Entry::size).sum());
        Restore.run(backup, folder, new Progress() {
            @Override
            public void begins(Manifest.Entry file) {
                LOG.debug("restores {}", file.name());
            }

            @Override
            public void moved(long bytes) {
                // a line for each file says enough
            }

            @Override
            public void ended(Manifest.Entry file, String how) {
                LOG.info("restored {}, {}", file.name(), how);
            }
        });
        LOG.info("{} goes on from the last cut of the backup; what is behind it is read from the shards again", folder);
    }

    private Backup backup(ObjectStore place, String cluster) {
        return new Backup(place, config.prefix(), cluster, BackupKeys.of(config));
    }
}
