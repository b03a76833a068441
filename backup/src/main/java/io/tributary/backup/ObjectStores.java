package io.tributary.backup;

import io.tributary.backup.store.DirectoryObjectStore;
import io.tributary.backup.store.ObjectStore;
import io.tributary.backup.store.S3Config;
import io.tributary.backup.store.S3ObjectStore;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Optional;

/** Creates the store in the configuration. */
public final class ObjectStores {
    private ObjectStores() {}

    /**
     * A folder or a bucket; empty if there is no backup. The caller closes it.
     *
     * @throws TributaryException CONFIG_INVALID if both are set; DIRECTORY_UNUSABLE if there is no such folder
     */
    public static Optional<ObjectStore> of(BackupConfig backup, S3Config s3) {
        if (backup.directory().isPresent() && s3.bucket().isPresent()) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID, "expected backup.directory or backup.s3.bucket, found both");
        }
        return s3.bucket().isPresent()
                ? Optional.of(new S3ObjectStore(s3))
                : backup.directory().map(DirectoryObjectStore::at);
    }
}
