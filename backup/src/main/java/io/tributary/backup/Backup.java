package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.List;
import java.util.Optional;

/** One cluster's backup in a store, to be looked at and read. */
public final class Backup {
    private final ObjectStore store;
    private final String folder;
    private final String cluster;
    private final BackupKeys keys;
    private final ManifestObject object;

    /**
     * Nothing is read yet.
     *
     * @param prefix below which the clusters' backups stand; may be empty
     * @param cluster the UUID of the files' GTIDs
     */
    public Backup(ObjectStore store, String prefix, String cluster, BackupKeys keys) {
        this.store = store;
        this.folder = folder(prefix, cluster);
        this.cluster = cluster;
        this.keys = keys;
        this.object = new ManifestObject(store, folder, cluster);
    }

    /** Where a cluster's objects stand, with the last slash. */
    static String folder(String prefix, String cluster) {
        return (prefix.isEmpty() ? "" : prefix + "/") + cluster + "/";
    }

    /** The clusters that have a backup below a prefix, or files of one that has lost its manifest: the UUIDs of their GTIDs. */
    public static List<String> clusters(ObjectStore store, String prefix) {
        String before = prefix.isEmpty() ? "" : prefix + "/";
        return store.list(before).stream()
                .filter(name -> name.endsWith("/" + Manifest.NAME) || Manifest.isOfAFile(name))
                .filter(name -> name.lastIndexOf('/') > before.length())
                .map(name -> name.substring(before.length(), name.lastIndexOf('/')))
                .distinct()
                .toList();
    }

    /** The UUID of the files' GTIDs. */
    public String cluster() {
        return cluster;
    }

    /**
     * What it holds.
     *
     * @throws TributaryException BACKUP_FAILED when there is no backup; BACKUP_CONFLICT when there are files and no manifest;
     *     BACKUP_CORRUPT when its manifest is damaged, another cluster's, or has a gap
     */
    public Manifest manifest() {
        Optional<Manifest> read = read();
        if (read.isEmpty()) {
            object.requireNoFiles();
        }
        return read.orElseThrow(() ->
                new TributaryException(ErrorCode.BACKUP_FAILED, object.name() + ": expected a manifest, found none"));
    }

    /** As {@link #manifest()}; empty when there is no backup yet. */
    public Optional<Manifest> read() {
        Optional<Manifest> read = object.read();
        read.ifPresent(manifest -> manifest.requireWhole(object.name()));
        return read;
    }

    /**
     * Reads a file from the store to its end.
     *
     * @throws TributaryException BACKUP_CORRUPT naming the object that is missing or is not what the manifest says
     */
    public void verify(Manifest.Entry file, Progress progress) {
        progress.begins(file);
        try (Download download = download(file)) {
            for (var bytes = download.next(); bytes.isPresent(); bytes = download.next()) {
                progress.moved(bytes.get().remaining());
            }
        }
        progress.ended(file, "as the manifest says");
    }

    /** Begins to read a file. */
    Download download(Manifest.Entry file) {
        return new Download(store, folder, cluster, file, keys);
    }

    /**
     * Takes the files out that need not stay.
     *
     * @param isDry whether only to look
     * @return those files, oldest first
     * @throws TributaryException BACKUP_CONFLICT when a node has changed the backup meanwhile: nothing was taken out then
     */
    public List<Manifest.Entry> prune(BackupConfig config, long nowMicros, boolean isDry) {
        Manifest manifest = manifest();
        List<Manifest.Entry> expired = Retention.of(config).expired(manifest, nowMicros);
        if (!isDry) {
            Prune prune = new Prune(store, folder);
            prune.deleteOlder(prune.run(object, manifest, expired));
        }
        return expired;
    }
}
