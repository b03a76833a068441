package io.tributary.node.command.log;

import io.tributary.common.gtid.Gtid;
import java.util.Optional;

/**
 * How far a binlog was read.
 *
 * @param file the file that is being read, "" before the first one
 * @param position the offset after the last event that was read
 * @param transaction the last transaction that has begun; the ones before it are done
 * @param bytes that were read or passed over, of all files
 */
record LogPlace(String file, long position, Optional<Gtid> transaction, long bytes) {
    /** Nothing was read. */
    static final LogPlace NONE = new LogPlace("", 0, Optional.empty(), 0);
}
