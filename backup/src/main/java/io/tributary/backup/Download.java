package io.tributary.backup;

import io.tributary.backup.store.AsyncTask;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.Sha256;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Reads one file from the store: several ranges at once, decrypted and returned in order. At the end its size and SHA-256 must match the manifest, or
 * it fails; then the bytes returned before must not be used. One thread.
 */
final class Download implements AutoCloseable {
    /** Bytes of a range; the ranges that are being read are on the heap. */
    static final int RANGE = 64 * FileEncryption.FRAME;

    private final ObjectStore store;
    private final String object;
    private final Manifest.Entry file;
    private final Optional<FileEncryption> encryption;
    private final Sha256 sum = new Sha256();
    private final Deque<Future<ByteBuffer>> ranges = new ArrayDeque<>();
    private long at;
    private long requested;

    /**
     * Checks whether the object exists.
     *
     * @throws TributaryException BACKUP_CORRUPT if it is missing or has another size, BACKUP_REFUSED if no key decrypts it
     */
    Download(ObjectStore store, String folder, String cluster, Manifest.Entry file, BackupKeys keys) {
        this.store = store;
        this.object = folder + file.name();
        this.file = file;
        this.encryption = keys.of(cluster, file);
        Optional<Long> size = store.size(object);
        if (!size.equals(Optional.of(file.storedSize()))) {
            throw corrupt(
                    "the object in the manifest, of " + file.storedSize() + " bytes",
                    size.map(bytes -> bytes + " bytes").orElse("none"));
        }
    }

    /** Continues after bytes that were read before; call this only before {@link #next()}. */
    void skip(ByteBuffer view) {
        sum.update(view);
        at += view.remaining();
        requested = at;
    }

    /** Whether the next bytes are there, or all is done, so that {@link #next()} does not wait for the store. */
    boolean isReady() {
        request();
        return ranges.isEmpty() || ranges.peek().isDone();
    }

    /**
     * The next bytes; waits for them.
     *
     * @return valid until the next call; empty when the file is complete and its checksum matches
     */
    Optional<ByteBuffer> next() {
        request();
        Future<ByteBuffer> first = ranges.poll();
        if (first == null) {
            check();
            return Optional.empty();
        }
        ByteBuffer stored = AsyncTask.result(first, store + "/" + object, "read it");
        ByteBuffer bytes = encryption.isPresent() ? encryption.get().decrypt(stored, at) : stored;
        sum.update(bytes);
        at += bytes.remaining();
        return Optional.of(bytes);
    }

    /** Keeps enough ranges requested. */
    private void request() {
        while (requested < file.size() && ranges.size() < store.parallel()) {
            long end = Math.min(requested + RANGE, file.size());
            long from = encryption.isPresent() ? FileEncryption.encryptedSize(requested) : requested;
            long to = encryption.isPresent() ? FileEncryption.encryptedSize(end) : end;
            ranges.add(store.fetch(object, from, (int) (to - from)));
            requested = end;
        }
    }

    private void check() {
        String found = sum.hex();
        if (at != file.size() || !found.equals(file.sha256())) {
            throw corrupt(file.size() + " bytes with SHA-256 " + file.sha256(), at + " bytes with SHA-256 " + found);
        }
    }

    private TributaryException corrupt(String expected, String found) {
        return new TributaryException(
                ErrorCode.BACKUP_CORRUPT, store + "/" + object + ": expected " + expected + ", found " + found);
    }

    @Override
    public void close() {
        ranges.forEach(range -> range.cancel(true));
    }
}
