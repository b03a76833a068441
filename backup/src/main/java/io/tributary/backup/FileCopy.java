package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** One file's way into the store, some MiB a step: its checksum first, then its bytes, then its sparse index. */
final class FileCopy implements AutoCloseable {
    private static final int STEP = 4 << 20;

    private final ObjectStore store;
    private final String folder;
    private final FinishedFile file;
    private final ByteBuffer buffer;
    private final FileChannel channel;
    private final Sha256 sum = new Sha256();
    private String sha256;
    private ObjectStore.Upload upload;
    private long at;

    /** @param folder prefix of the objects' names, with its last slash */
    FileCopy(ObjectStore store, String folder, FinishedFile file) {
        this.store = store;
        this.folder = folder;
        this.file = file;
        this.buffer = ByteBuffer.allocateDirect((int) Math.max(1, Math.min(STEP, file.size())));
        try {
            this.channel = FileChannel.open(file.path(), StandardOpenOption.READ);
        } catch (IOException e) {
            throw failed("open it", e);
        }
    }

    /** One step. @return the manifest's entry when all is in the store, else null */
    Manifest.Entry step() {
        read();
        if (sha256 == null) {
            sum.update(buffer);
            if (at == file.size()) {
                sha256 = sum.hex();
                upload = store.begin(folder + file.name(), metadata());
                at = 0;
            }
            return null;
        }
        upload.write(buffer);
        if (at < file.size()) {
            return null;
        }
        upload.finish();
        copyIndex();
        return entry();
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

    private void copyIndex() {
        try {
            if (Files.exists(file.indexPath())) {
                store.replace(folder + file.name() + ".idx", Files.readAllBytes(file.indexPath()));
            }
        } catch (IOException e) {
            throw failed("read its sparse index", e);
        }
    }

    private Map<String, String> metadata() {
        return Map.of(
                "sha256",
                sha256,
                "first-gno",
                Long.toString(file.firstGno()),
                "last-gno",
                Long.toString(file.lastGno()),
                "first-micros",
                Long.toString(file.firstMicros()));
    }

    private Manifest.Entry entry() {
        return new Manifest.Entry(
                file.name(), file.size(), sha256, file.firstGno(), file.lastGno(), file.firstMicros());
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
