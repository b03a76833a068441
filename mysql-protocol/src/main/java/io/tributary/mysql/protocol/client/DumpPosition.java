package io.tributary.mysql.protocol.client;

import io.tributary.common.gtid.GtidSet;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a dump begins.
 *
 * @param gtids the transactions that must not be sent; empty: by file and position
 * @param file name of a binlog file; empty with a GTID set, or for the shard's first file
 * @param position offset in the file, 4 or more
 */
public record DumpPosition(Optional<GtidSet> gtids, String file, long position) {
    /** Bytes before a file's first event. */
    public static final int FIRST = 4;

    public DumpPosition {
        Objects.requireNonNull(gtids);
        Objects.requireNonNull(file);
        if (position < FIRST || (gtids.isEmpty() && position > 0xffffffffL)) {
            throw new IllegalArgumentException("expected a position of 4 to 2^32-1, found " + position);
        }
    }
}
