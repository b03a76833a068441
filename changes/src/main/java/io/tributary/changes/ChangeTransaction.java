package io.tributary.changes;

import io.tributary.common.gtid.Gtid;

/**
 * A transaction of the binlog.
 *
 * @param gtid its number in the global order
 * @param committedMicros when it was committed on its shard, microseconds since 1970; 0 if it is not known
 * @param file the binlog file in which it begins
 * @param position the offset of its first event in the file
 */
public record ChangeTransaction(Gtid gtid, long committedMicros, String file, long position) {}
