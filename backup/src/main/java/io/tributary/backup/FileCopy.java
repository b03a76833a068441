package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.Sha256;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Copies one file to the store, some MiB a step: first it computes its checksum, then it sends its bytes, encrypted if there is a key, then its
 * sparse index. An object that exists already, because a crash came before it was added to the manifest, is not sent again.
 */
final class FileCopy implements AutoCloseable {
    private static final int STEP = 64 * FileEncryption.FRAME;
    private static final String SHA256 = "sha256";
    private static final String KEY = "key";

    private final ObjectStore store;
    private final String folder;
    private final String cluster;
    private final FinishedFile file;
    private final BackupKeys keys;
    private final String object;
    private final ByteBuffer buffer;
    private final FileChannel channel;
    private final Sha256 sum = new Sha256();
    private Manifest.Entry entry;
    private Optional<FileEncryption> encryption = Optional.empty();
    private ObjectStore.Upload upload;
    private long at;

    /** @param folder prefix of the objects' names, with its last slash */
    FileCopy(ObjectStore store, String folder, String cluster, FinishedFile file, BackupKeys keys) {
        this.store = store;
        this.folder = folder;
        this.cluster = cluster;
        this.file = file;
        this.keys = keys;
        this.object = folder + file.name();
        this.buffer = ByteBuffer.allocateDirect((int) Math.max(1, Math.min(STEP, file.size())));
        try {
            this.channel = FileChannel.open(file.path(), StandardOpenOption.READ);
        } catch (IOException e) {
            throw failed("open it", e);
        }
    }

    /** One step. @return the manifest's entry when the file is in the store, else null */
    Manifest.Entry step() {
        long from = at;
        read();
        if (entry == null) {
            sum.update(buffer);
            return at < file.size() || !begin() ? null : entry;
        }
        upload.write(encryption.isPresent() ? encryption.get().encrypt(buffer, from) : buffer);
        if (at < file.size()) {
            return null;
        }
        finish();
        copyIndex();
        return entry;
    }

    /** The number of bytes that were sent over the network so far. */
    long sent() {
        return upload == null ? 0 : upload.sent();
    }

    private void read() {
        buffer.clear().limit((int) Math.min(buffer.capacity(), file.size() - at));
        try {
            while (buffer.hasRemaining()) {
                int done = channel.read(buffer, at);
                if (done < 0) {
                    throw new IOException("the end at " + at + " of " + file.size() + " bytes");
                }
                at += done;
            }
        } catch (IOException e) {
            throw failed("read it", e);
        }
        buffer.flip();
    }

    /** The checksum is known. @return whether the object exists already */
    private boolean begin() {
        entry = entry(sum.hex(), keys.newest());
        if (isThere()) {
            copyIndex();
            return true;
        }
        encryption = keys.of(cluster, entry);
        Map<String, String> metadata = new TreeMap<>(Map.of(
                SHA256,
                entry.sha256(),
                "first-gno",
                Long.toString(file.firstGno()),
                "last-gno",
                Long.toString(file.lastGno()),
                "first-micros",
                Long.toString(file.firstMicros())));
        entry.key().ifPresent(id -> metadata.put(KEY, id));
        upload = store.begin(object, metadata);
        at = 0;
        return false;
    }

    private Manifest.Entry entry(String sha256, Optional<String> key) {
        return new Manifest.Entry(
                file.name(),
                file.size(),
                sha256,
                file.firstGno(),
                file.lastGno(),
                file.firstMicros(),
                key,
                file.startsJournal());
    }

    private boolean isThere() {
        Optional<Long> size = store.size(object);
        if (size.isEmpty()) {
            return false;
        }
        Map<String, String> metadata = store.metadata(object);
        Manifest.Entry there = entry(entry.sha256(), Optional.ofNullable(metadata.get(KEY)));
        if (!entry.sha256().equals(metadata.get(SHA256)) || size.get() != there.storedSize()) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CONFLICT,
                    store + "/" + object + ": expected no object, or this file with SHA-256 " + entry.sha256()
                            + ", found " + size.get() + " bytes with SHA-256 " + metadata.get(SHA256)
                            + "; nothing is overwritten. The manifest does not contain it: if no other node backs up"
                            + " to this place, a node that no longer exists left it there, and it may be deleted");
        }
        entry = there;
        return true;
    }

    private void finish() {
        try {
            upload.finish();
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.BACKUP_CONFLICT || !isThere()) {
                throw e;
            }
        }
    }

    private void copyIndex() {
        try {
            if (Files.exists(file.indexPath())) {
                store.replace(folder + file.name() + ".idx", Files.readAllBytes(file.indexPath()));
            }
        } catch (IOException e) {
            throw failed("read its sparse index", e);
        }
    }

    private TributaryException failed(String action, IOException cause) {
        return new TributaryException(
                ErrorCode.BACKUP_FAILED, file.path() + ": expected to " + action + ", found " + cause, cause);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failed("close it", e);
        } finally {
            if (upload != null) {
                upload.close();
            }
        }
    }
}
