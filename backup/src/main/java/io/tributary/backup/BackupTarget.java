package io.tributary.backup;

import io.tributary.backup.store.ObjectStore;
import io.tributary.common.pipeline.FailPoint;
import java.util.function.Supplier;

/**
 * The store to which files are backed up.
 *
 * @param newest the keys of the backup; read again and again, because some of them may change
 * @param failPoint called at each step; a test can end the copying there
 */
public record BackupTarget(ObjectStore store, Supplier<BackupConfig> newest, FailPoint failPoint) {
    /** For production. */
    public static BackupTarget of(ObjectStore store, Supplier<BackupConfig> newest) {
        return new BackupTarget(store, newest, FailPoint.NONE);
    }
}
