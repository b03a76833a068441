package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A cluster's manifest in the store: read, and replaced only if it still is what was read. One thread. */
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

    /** What messages call it. */
    String name() {
        return store + "/" + name;
    }

    /**
     * What it says now; empty when there is none.
     *
     * @throws TributaryException BACKUP_CORRUPT when it is damaged or another cluster's
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

    Manifest readOrEmpty() {
        return read().orElse(new Manifest(cluster, List.of()));
    }

    /**
     * Replaces it.
     *
     * @throws TributaryException BACKUP_CONFLICT when somebody else has replaced it since it was read
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
            tag = now.map(ObjectStore.Tagged::tag); // it was us, and the answer was lost
        }
    }
}
