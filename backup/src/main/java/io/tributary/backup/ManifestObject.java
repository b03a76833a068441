package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A cluster's manifest in the store; it is replaced only if it has not changed since it was read. One thread. */
final class ManifestObject {
    private final ObjectStore store;
    private final String cluster;
    private final String name;
    private Optional<String> tag = Optional.empty();

    /** @param folder with the last slash */
    ManifestObject(ObjectStore store, String folder, String cluster) {
        this.store = store;
        this.cluster = cluster;
        this.name = folder + Manifest.NAME;
    }

    /** Its name in messages. */
    String name() {
        return store + "/" + name;
    }

    /**
     * The current manifest; empty if there is none.
     *
     * @throws TributaryException BACKUP_CORRUPT if it is damaged or belongs to another cluster
     */
    Optional<Manifest> read() {
        Optional<ObjectStore.Tagged> found = store.small(name);
        tag = found.map(ObjectStore.Tagged::tag);
        Optional<Manifest> read = found.map(object -> Manifest.parse(name(), object.bytes()));
        read.filter(manifest -> !manifest.cluster().equals(cluster)).ifPresent(other -> {
            throw new TributaryException(
                    ErrorCode.BACKUP_CORRUPT,
                    name() + ": expected the manifest of cluster " + cluster + ", found that of " + other.cluster());
        });
        return read;
    }

    /** Whether there was one when it was last read or replaced. */
    boolean isThere() {
        return tag.isPresent();
    }

    /**
     * The current manifest; one without files if no backup was ever started.
     *
     * @param known notes that there is one
     * @throws TributaryException BACKUP_CONFLICT if there are files that no manifest contains; BACKUP_FAILED if there was a backup before;
     *     BACKUP_CORRUPT as {@link #read()}
     */
    Manifest readOrNew(BackupState known) {
        Optional<Manifest> found = read().or(() -> {
            List<String> unnamed = unnamed();
            Optional<Manifest> begun = read(); // another node may have started it meanwhile
            if (begun.isEmpty()) {
                requireNone(unnamed);
                requireNeverThere(known);
            }
            return begun;
        });
        found.ifPresent(there -> known.recordPlace(name()));
        return found.orElse(new Manifest(cluster, List.of()));
    }

    /**
     * Ensures that there are no files without a manifest, because they would be those of another backup.
     *
     * @throws TributaryException BACKUP_CONFLICT
     */
    void requireNoFiles() {
        requireNone(unnamed());
    }

    private List<String> unnamed() {
        return store.list(name.substring(0, name.length() - Manifest.NAME.length())).stream()
                .filter(Manifest::isOfAFile)
                .toList();
    }

    private void requireNone(List<String> unnamed) {
        if (!unnamed.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CONFLICT,
                    name() + ": expected a manifest beside " + unnamed.size() + " objects, from " + unnamed.get(0)
                            + " to "
                            + unnamed.get(unnamed.size() - 1)
                            + ", found none: restore it, or move them away to start a new backup; nothing is written"
                            + " or deleted there");
        }
    }

    private void requireNeverThere(BackupState known) {
        if (known.place().filter(name()::equals).isPresent()) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED,
                    name() + ": expected the manifest of the backup that was here before, found none: " + known.remedy()
                            + "; nothing is backed up or purged until then");
        }
    }

    /** Starts a backup with an empty manifest, before its first file is there. */
    void begin(Manifest none, BackupState known) {
        replace(none);
        known.recordPlace(name());
    }

    /**
     * Replaces the manifest.
     *
     * @throws TributaryException BACKUP_CONFLICT if it was replaced by another writer since it was read
     */
    void replace(Manifest next) {
        byte[] bytes = next.bytes();
        try {
            tag = Optional.of(store.replace(name, bytes, tag));
        } catch (TributaryException e) {
            Optional<ObjectStore.Tagged> now =
                    e.code() == ErrorCode.BACKUP_CONFLICT ? store.small(name) : Optional.empty();
            if (now.filter(object -> Arrays.equals(object.bytes(), bytes)).isEmpty()) {
                throw e;
            }
            tag = now.map(ObjectStore.Tagged::tag); // this node has replaced it, and the answer was lost
        }
    }
}
