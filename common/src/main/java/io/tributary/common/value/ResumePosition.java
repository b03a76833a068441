package io.tributary.common.value;

import io.tributary.common.gtid.GtidSet;

/**
 * A position from which a shard's binlog is read.
 *
 * @param executed all GTIDs before it, which need not be read again
 * @param file the file in which the next transaction begins, for display and for servers without GTIDs; "" while unknown
 * @param offset the offset in that file at which it begins
 */
public record ResumePosition(GtidSet executed, String file, long offset) {
    /** A position whose file is not known yet. */
    public static ResumePosition after(GtidSet executed) {
        return new ResumePosition(executed, "", 0);
    }
}
