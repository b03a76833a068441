package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells which of a node's files a backup has; each object that is named is looked for once. One thread. */
final class Inventory {
    private final ObjectStore store;
    private final String folder;
    private final Set<String> looked = new HashSet<>(); // named in the manifest, and seen in the store

    Inventory(ObjectStore store, String folder) {
        this.store = store;
        this.folder = folder;
    }

    /**
     * The files that the backup has to get, oldest first.
     *
     * @throws TributaryException BACKUP_CONFLICT when it has another file of one's name
     */
    List<FinishedFile> missing(Manifest manifest, List<FinishedFile> files) {
        return files.stream().filter(file -> !isThere(manifest, file)).toList();
    }

    /** Named in the manifest, and in the store with its size; or older than what is kept there. */
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
        return looked.contains(file.name())
                || store.size(folder + file.name()).equals(Optional.of(named.storedSize())) && looked.add(file.name());
    }

    /**
     * Makes sure that a file goes on where the one before it in the backup ends: a backup with a hole could not be restored.
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
                            "transaction " + (before.lastGno() + 1) + " behind " + before.name()
                                    + ", found that the file here begins with " + file.firstGno()
                                    + ": what is between is in neither; move that backup away, or set another"
                                    + " backup.prefix");
                });
    }

    private TributaryException conflict(FinishedFile file, String why) {
        return new TributaryException(
                ErrorCode.BACKUP_CONFLICT,
                store + "/" + folder + file.name() + ": expected " + why + "; nothing is overwritten");
    }

    /** A file was brought there. */
    void add(String name) {
        looked.add(name);
    }

    /** All objects are looked for again. */
    void forget() {
        looked.clear();
    }
}
