package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A small object, read whole. */
final class StoredObject {
    private static final long LARGEST = 1 << 30;

    private StoredObject() {}

    /** Its bytes; empty when there is none. */
    static Optional<byte[]> read(ObjectStore store, String name) {
        Optional<Long> size = store.size(name);
        if (size.isEmpty()) {
            return Optional.empty();
        }
        if (size.get() > LARGEST) {
            throw new TributaryException(
                    ErrorCode.BACKUP_CORRUPT, name + ": expected a small object, found " + size.get() + " bytes");
        }
        ByteBuffer bytes = ByteBuffer.allocate(size.get().intValue());
        while (bytes.hasRemaining()) {
            if (store.read(name, bytes.position(), bytes) < 0) {
                throw new TributaryException(
                        ErrorCode.BACKUP_FAILED, name + ": expected " + bytes.limit() + " bytes, found its end before");
            }
        }
        return Optional.of(bytes.array());
    }
}
