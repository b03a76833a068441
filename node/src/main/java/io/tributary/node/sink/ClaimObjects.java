package io.tributary.node.sink;

import io.tributary.backup.store.DirectoryObjectStore;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.S3Config;
import io.tributary.backup.store.S3ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.sink.ClaimStore;
import io.tributary.sink.LargeMessages;
import java.util.Optional;

/** The store of large messages: a folder or a bucket. */
final class ClaimObjects implements ClaimStore, AutoCloseable {
    private final ObjectStore store;
    private final String prefix;

    private ClaimObjects(ObjectStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /**
     * Opens the store; empty if large messages are not stored.
     *
     * @throws TributaryException CONFIG_INVALID if there is no folder and no bucket; DIRECTORY_UNUSABLE if there is no such folder
     */
    static Optional<ClaimObjects> open(SinkDeliveryConfig keys, S3Config s3) {
        if (keys.large().treatment() != LargeMessages.Kind.CLAIM_CHECK) {
            return Optional.empty();
        }
        Optional<ObjectStore> folder = keys.claims().directory().map(DirectoryObjectStore::at);
        if (folder.isEmpty() && s3.bucket().isEmpty()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "sink.large-message=claim-check: expected sink.claim.directory or backup.s3.bucket, found none");
        }
        return Optional.of(new ClaimObjects(
                folder.orElseGet(() -> new S3ObjectStore(s3)), keys.claims().prefix()));
    }

    /** {@code s3://bucket/prefix/name}, or {@code /folder/prefix/name}. */
    @Override
    public String put(String name, byte[] content) {
        String object = prefix + "/" + name;
        store.replace(object, content);
        return store + "/" + object;
    }

    /**
     * Asks the store for an object that is not there.
     *
     * @throws TributaryException if the store does not answer
     */
    void check() {
        var unused = store.size(prefix + "/check");
    }

    @Override
    public void close() {
        store.close();
    }
}
