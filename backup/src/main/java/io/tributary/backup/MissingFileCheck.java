package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Determines which of a node's files are missing in a backup; each object in the manifest is checked once. One thread. */
final class MissingFileCheck {
    private final ObjectStore store;
    private final String folder;
    private final Set<String> checked = new HashSet<>(); // in the manifest, and found in the store

    MissingFileCheck(ObjectStore store, String folder) {
        this.store = store;
        this.folder = folder;
    }

    /**
     * The files that are not backed up yet, oldest first.
     *
     * @throws TributaryException BACKUP_CONFLICT if the backup has another file with the name of one
     */
    List<FinishedFile> missing(Manifest manifest, List<FinishedFile> files) {
        return files.stream().filter(file -> !isThere(manifest, file)).toList();
    }

    /** Whether the file is in the manifest, and in the store with its size; or is older than the files that are kept there. */
    private boolean isThere(Manifest manifest, FinishedFile file) {
        Optional<Manifest.Entry> entry = manifest.find(file.name());
        if (entry.isEmpty()) {
            return !manifest.files().isEmpty()
                    && Manifest.number(file.name()) < manifest.files().get(0).number();
        }
        Manifest.Entry named = entry.get();
        if (named.size() != file.size() || named.firstGno() != file.firstGno() || named.lastGno() != file.lastGno()) {
            throw conflict(
                    file,
                    "the file that is backed up, of " + named.size() + " bytes with transactions " + named.firstGno()
                            + " to " + named.lastGno() + ", found another one here, of " + file.size() + " bytes with "
                            + file.firstGno() + " to " + file.lastGno() + ": another node backs up to this place");
        }
        return checked.contains(file.name())
                || store.size(folder + file.name()).equals(Optional.of(named.storedSize())) && checked.add(file.name());
    }

    /**
     * Ensures that a file continues where the previous one in the backup ends: a backup with a gap could not be restored.
     *
     * @throws TributaryException BACKUP_CONFLICT
     */
    void requireNoGap(Manifest manifest, FinishedFile file) {
        int number = Manifest.number(file.name());
        manifest.files().stream()
                .filter(entry -> entry.number() < number)
                .reduce((older, newer) -> newer)
                .filter(before -> before.lastGno() + 1 != file.firstGno())
                .ifPresent(before -> {
                    throw conflict(
                            file,
                            "transaction " + (before.lastGno() + 1) + " after " + before.name()
                                    + ", found that the file here begins with " + file.firstGno()
                                    + ": the transactions between are in neither; move that backup away, or set another"
                                    + " backup.prefix");
                });
    }

    private TributaryException conflict(FinishedFile file, String why) {
        return new TributaryException(
                ErrorCode.BACKUP_CONFLICT,
                store + "/" + folder + file.name() + ": expected " + why + "; nothing is overwritten");
    }

    /** A file was added to the backup. */
    void add(String name) {
        checked.add(name);
    }

    /** All objects are checked again. */
    void reset() {
        checked.clear();
    }
}
