package io.tributary.common.value;

import io.tributary.common.gtid.Sid;

/**
 * A transaction's place in a shard's binlog: its GTID, its position, and the clocks of its GTID event.
 *
 * @param sid the GTID's source
 * @param gno the GTID's number, from 1
 * @param file the shard's binlog file that contains it
 * @param end offset after it in that file
 * @param commitMicros commit time in µs since 1970 by the shard's clock; 0 if the server does not write one
 * @param lastCommitted the source's own logical clock; {@link #ALONE} for a transaction that nothing may run in parallel with
 * @param sequenceNumber the source's own logical clock
 */
public record LoggedTransaction(
        Sid sid, long gno, String file, long end, long commitMicros, long lastCommitted, long sequenceNumber) {
    /** Instead of a logical clock: no transaction of any shard may run in parallel with this one. */
    public static final long ALONE = -1;
}
