package io.tributary.extractor.tso;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;

/**
 * A branch that is prepared and undecided on a shard, as shown to operators.
 *
 * @param xid the XID, with bqual
 * @param sid the source of the GTID of its PREPARE
 * @param gno the number of that GTID
 * @param file the shard's binlog file in which the PREPARE begins
 * @param offset the offset at which it begins there
 * @param tso its TSO, 0 while that is not known
 * @param ageNanos the time since it was read
 * @param preparedMicros when it was prepared, µs since 1970 by the shard's clock; 0 if the shard does not record it
 * @param payloadBytes size of its rows
 * @param heldBack transactions and decisions of its shard that wait until this branch, or another undecided one, is decided
 */
public record UndecidedBranch(
        Xid xid,
        Sid sid,
        long gno,
        String file,
        long offset,
        long tso,
        long ageNanos,
        long preparedMicros,
        long payloadBytes,
        int heldBack) {

    static UndecidedBranch of(PendingBranch pendingBranch, long nanoTime, int heldBack) {
        Token prepare = pendingBranch.prepare();
        return new UndecidedBranch(
                prepare.xid(),
                prepare.sid(),
                prepare.gno(),
                prepare.before().file(),
                prepare.before().offset(),
                Math.max(0, prepare.tso()),
                nanoTime - pendingBranch.sinceNanos(),
                prepare.commitMicros(),
                prepare.payload() == null ? 0 : prepare.payload().length(),
                heldBack);
    }
}
