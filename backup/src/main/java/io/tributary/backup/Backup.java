package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** One cluster's backup in a store, for reading. */
public final class Backup {
    private final ObjectStore store;
    private final String folder;
    private final String cluster;
    private final BackupKeys keys;
    private final ManifestObject object;

    /**
     * Creates the object; nothing is read yet.
     *
     * @param prefix the prefix of the clusters' backups; may be empty
     * @param cluster the UUID of the files' GTIDs
     */
    public Backup(ObjectStore store, String prefix, String cluster, BackupKeys keys) {
        this.store = store;
        this.folder = folder(prefix, cluster);
        this.cluster = cluster;
        this.keys = keys;
        this.object = new ManifestObject(store, folder, cluster);
    }

    /** The prefix of a cluster's objects, with the last slash. */
    static String folder(String prefix, String cluster) {
        return (prefix.isEmpty() ? "" : prefix + "/") + cluster + "/";
    }

    /** The clusters that have a backup below a prefix, or files of a backup that has lost its manifest: the UUIDs of their GTIDs. */
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
     * The content of the backup.
     *
     * @throws TributaryException BACKUP_FAILED if there is no backup; BACKUP_CONFLICT if there are files and no manifest; BACKUP_CORRUPT if its
     *     manifest is damaged, belongs to another cluster, or has a gap
     */
    public Manifest manifest() {
        Optional<Manifest> read = read();
        if (read.isEmpty()) {
            object.requireNoFiles();
        }
        return read.orElseThrow(() ->
                new TributaryException(ErrorCode.BACKUP_FAILED, object.name() + ": expected a manifest, found none"));
    }

    /** Like {@link #manifest()}; empty if there is no backup yet. */
    Optional<Manifest> read() {
        Optional<Manifest> read = object.read();
        read.ifPresent(manifest -> manifest.requireWhole(object.name()));
        return read;
    }

    /**
     * Reads a file from the store to its end, and checks it.
     *
     * @throws TributaryException BACKUP_CORRUPT with the name of the object that is missing or differs from the manifest
     */
    public void verify(Manifest.Entry file, Progress progress) {
        progress.begins(file);
        try (Download download = download(file)) {
            for (var bytes = download.next(); bytes.isPresent(); bytes = download.next()) {
                progress.moved(bytes.get().remaining());
            }
        }
        progress.ended(file, "matches the manifest");
    }

    /**
     * Copies a file from the store, and checks it.
     *
     * @param to the copy is there only when it is complete
     * @param progress what it throws ends the copy
     * @throws TributaryException as {@link #verify}; IO_FAILED
     */
    public void copy(Manifest.Entry file, Path to, Progress progress) {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        progress.begins(file);
        try {
            try (Download download = download(file);
                    FileChannel channel = FileChannel.open(
                            part,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE)) {
                for (var bytes = download.next(); bytes.isPresent(); bytes = download.next()) {
                    int count = bytes.get().remaining();
                    while (bytes.get().hasRemaining()) {
                        channel.write(bytes.get());
                    }
                    progress.moved(count);
                }
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw notWritten(to, e);
        }
        progress.ended(file, file.size() + " bytes");
    }

    /**
     * Copies the sparse index of a file from the store.
     *
     * @return false if the backup does not have it
     * @throws TributaryException BACKUP_FAILED, IO_FAILED
     */
    public boolean copyIndex(Manifest.Entry file, Path to) {
        Optional<ObjectStore.Tagged> index = store.small(folder + file.name() + ".idx");
        try {
            if (index.isPresent()) {
                Files.write(to, index.get().bytes());
            }
        } catch (IOException e) {
            throw notWritten(to, e);
        }
        return index.isPresent();
    }

    private static TributaryException notWritten(Path to, IOException cause) {
        return new TributaryException(
                ErrorCode.IO_FAILED, to + ": expected to copy a file of the backup there, found " + cause, cause);
    }

    /** Starts to read a file. */
    Download download(Manifest.Entry file) {
        return new Download(store, folder, cluster, file, keys);
    }

    /**
     * Removes the files that are older or more than the configuration keeps.
     *
     * @param isDry whether only to list them
     * @return those files, oldest first
     * @throws TributaryException BACKUP_CONFLICT if a node has changed the backup meanwhile: then nothing was removed
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
