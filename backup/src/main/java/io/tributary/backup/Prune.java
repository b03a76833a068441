package io.tributary.backup;

import java.util.List;

/** Takes the oldest files out of a backup: first out of the manifest, then out of the store. */
final class Prune {
    private static final String INDEX = ".idx";

    private final ObjectStore store;
    private final String folder;

    Prune(ObjectStore store, String folder) {
        this.store = store;
        this.folder = folder;
    }

    /** Shortens the manifest by its oldest files, then deletes them. @return the manifest that is left */
    Manifest run(ManifestObject object, Manifest manifest, List<Manifest.Entry> oldest) {
        if (oldest.isEmpty()) {
            return manifest;
        }
        Manifest left = manifest.without(oldest);
        object.replace(left);
        oldest.forEach(file -> delete(file.name()));
        return left;
    }

    /** Deletes what a crash left between the two steps: files older than all that the manifest names. */
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
