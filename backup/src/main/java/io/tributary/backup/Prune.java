package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import java.util.List;

/** Removes the oldest files from a backup: first from the manifest, then from the store. */
final class Prune {
    private static final String INDEX = ".idx";

    private final ObjectStore store;
    private final String folder;

    Prune(ObjectStore store, String folder) {
        this.store = store;
        this.folder = folder;
    }

    /** Removes the oldest files from the manifest, then deletes them. @return the new manifest */
    Manifest run(ManifestObject object, Manifest manifest, List<Manifest.Entry> oldest) {
        if (oldest.isEmpty()) {
            return manifest;
        }
        Manifest left = manifest.without(oldest);
        object.replace(left);
        oldest.forEach(file -> delete(file.name()));
        return left;
    }

    /** Deletes files that a crash left between the two steps: files older than all in the manifest. */
    void deleteOlder(Manifest manifest) {
        if (manifest.files().isEmpty()) {
            return;
        }
        String first = manifest.files().get(0).name();
        String stem = first.substring(0, first.lastIndexOf('.') + 1);
        store.list(folder + stem).stream()
                .map(name -> name.substring(folder.length()))
                .map(name -> name.endsWith(INDEX) ? name.substring(0, name.length() - INDEX.length()) : name)
                .distinct()
                .filter(name -> name.substring(stem.length()).matches(Manifest.NUMBER))
                .filter(name -> Manifest.number(name) < Manifest.number(first))
                .forEach(this::delete);
    }

    private void delete(String name) {
        store.delete(folder + name + INDEX);
        store.delete(folder + name);
    }
}
