package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * One file's way back from the store: ranges of it, some on their way at once, opened and handed over in order. At the end its size
 * and SHA-256 are what the manifest says, or it fails: what was handed over before is not to be trusted. One thread.
 */
final class Download implements AutoCloseable {
    /** Bytes of a range; as many as are on their way at once are held on the heap. */
    static final int RANGE = 64 * Seal.FRAME;

    private final ObjectStore store;
    private final String object;
    private final Manifest.Entry file;
    private final Optional<Seal> seal;
    private final Sha256 sum = new Sha256();
    private final Deque<Future<ByteBuffer>> ranges = new ArrayDeque<>();
    private long at;
    private long asked;

    /**
     * Looks whether the object is there.
     *
     * @throws TributaryException BACKUP_CORRUPT when it is missing or has another size, BACKUP_REFUSED when no key opens it
     */
    Download(ObjectStore store, String folder, String cluster, Manifest.Entry file, BackupKeys keys) {
        this.store = store;
        this.object = folder + file.name();
        this.file = file;
        this.seal = keys.of(cluster, file);
        Optional<Long> size = store.size(object);
        if (!size.equals(Optional.of(file.storedSize()))) {
            throw corrupt(
                    "the object that the manifest names, of " + file.storedSize() + " bytes",
                    size.map(bytes -> bytes + " bytes").orElse("none"));
        }
    }

    /** Goes on behind bytes that are there already; before {@link #next()} only. */
    void skip(ByteBuffer view) {
        sum.update(view);
        at += view.remaining();
        asked = at;
    }

    /** Whether the next bytes are there, or all is done, so that {@link #next()} does not wait for the store. */
    boolean isReady() {
        ask();
        return ranges.isEmpty() || ranges.peek().isDone();
    }

    /**
     * The next bytes; waits for them.
     *
     * @return good until the next call; empty when the file is whole and right
     */
    Optional<ByteBuffer> next() {
        ask();
        Future<ByteBuffer> first = ranges.poll();
        if (first == null) {
            check();
            return Optional.empty();
        }
        ByteBuffer stored = Background.result(first, store + "/" + object, "read it");
        ByteBuffer bytes = seal.isPresent() ? seal.get().open(stored, at) : stored;
        sum.update(bytes);
        at += bytes.remaining();
        return Optional.of(bytes);
    }

    /** Keeps ranges on their way. */
    private void ask() {
        while (asked < file.size() && ranges.size() < store.parallel()) {
            long end = Math.min(asked + RANGE, file.size());
            long from = seal.isPresent() ? Seal.sealedSize(asked) : asked;
            long to = seal.isPresent() ? Seal.sealedSize(end) : end;
            ranges.add(store.fetch(object, from, (int) (to - from)));
            asked = end;
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
