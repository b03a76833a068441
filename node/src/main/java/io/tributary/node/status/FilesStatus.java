package io.tributary.node.status;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.common.gtid.GtidSet;
import java.util.Optional;
import java.util.UUID;

/**
 * The binlog files of a Dumper.
 *
 * @param serverUuid UUID of the GTIDs
 * @param end up to where readers may read
 * @param executed GTIDs up to the end
 * @param purged GTIDs in files that are deleted; empty if they are not shown
 */
public record FilesStatus(UUID serverUuid, BinlogPosition end, GtidSet executed, Optional<GtidSet> purged) {
    /** The status of readable files. */
    public static FilesStatus of(BinlogFiles files) {
        return new FilesStatus(files.serverUuid(), files.durableEnd(), files.executed(), Optional.of(files.purged()));
    }

    /** The status of readable files without the purged GTIDs. */
    public static FilesStatus withoutPurged(BinlogFiles files) {
        return new FilesStatus(files.serverUuid(), files.durableEnd(), files.executed(), Optional.empty());
    }
}
