package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** One cluster's backup in a store, to be looked at and read. */
public final class Backup {
    private static final int STEP = 4 << 20;

    private final ObjectStore store;
    private final String folder;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(STEP);

    /**
     * Nothing is read yet.
     *
     * @param prefix below which the clusters' backups stand; may be empty
     * @param cluster the UUID of the files' GTIDs
     */
    public Backup(ObjectStore store, String prefix, String cluster) {
        this.store = store;
        this.folder = folder(prefix, cluster);
    }

    /** Where a cluster's objects stand, with the last slash. */
    static String folder(String prefix, String cluster) {
        return (prefix.isEmpty() ? "" : prefix + "/") + cluster + "/";
    }

    /** The clusters that have a backup below a prefix: the UUIDs of their GTIDs. */
    public static List<String> clusters(ObjectStore store, String prefix) {
        String before = prefix.isEmpty() ? "" : prefix + "/";
        String behind = "/" + Manifest.NAME;
        return store.list(before).stream()
                .filter(name -> name.endsWith(behind))
                .map(name -> name.substring(before.length(), name.length() - behind.length()))
                .toList();
    }

    /**
     * What it holds.
     *
     * @throws TributaryException BACKUP_FAILED when there is no backup; BACKUP_CORRUPT when its manifest is damaged
     */
    public Manifest manifest() {
        return readManifest()
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.BACKUP_FAILED, folder + Manifest.NAME + ": expected a manifest, found none"));
    }

    /** As {@link #manifest()}; empty when there is no backup yet. */
    Optional<Manifest> readManifest() {
        return StoredObject.read(store, folder + Manifest.NAME)
                .map(bytes -> Manifest.parse(folder + Manifest.NAME, bytes));
    }

    /** Where the bytes of a file go. */
    interface Sink {
        /** Takes all from position to limit. */
        void write(ByteBuffer bytes) throws IOException;
    }

    /**
     * Reads a file from the store to its end.
     *
     * @throws TributaryException BACKUP_CORRUPT naming the object that is missing or is not what the manifest says
     */
    public void verify(Manifest.Entry file) {
        try {
            read(file, bytes -> {});
        } catch (IOException e) {
            throw new IllegalStateException("nothing was written", e);
        }
    }

    /** Reads a file as {@link #verify} does, and gives its bytes to the sink before they are known to be right. */
    void read(Manifest.Entry file, Sink sink) throws IOException {
        String name = folder + file.name();
        if (store.size(name).isEmpty()) {
            throw corrupt(name, "a file of " + file.size() + " bytes", "none");
        }
        Sha256 sum = new Sha256();
        long size = 0;
        while (store.read(name, size, buffer.clear()) > 0) {
            buffer.flip();
            size += buffer.remaining();
            sum.update(buffer);
            sink.write(buffer);
        }
        String found = sum.hex();
        if (size != file.size() || !found.equals(file.sha256())) {
            throw corrupt(
                    name, file.size() + " bytes with SHA-256 " + file.sha256(), size + " bytes with SHA-256 " + found);
        }
    }

    private static TributaryException corrupt(String name, String expected, String found) {
        return new TributaryException(ErrorCode.BACKUP_CORRUPT, name + ": expected " + expected + ", found " + found);
    }
}
