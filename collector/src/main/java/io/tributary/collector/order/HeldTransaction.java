package io.tributary.collector.order;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Xid;
import java.util.List;

/**
 * A distributed transaction that is not emitted yet, as an operator sees it.
 *
 * @param xid gtrid and formatID, which its branches share; prints as XA statements take it
 * @param ageMicros how long ago its first branch was prepared as the shard's clock says, or was read where the shard writes no time
 * @param isInDoubt whether it has been named in the log because it took so long
 * @param branches those that are known, in the order of shards
 * @param unknownOn the shards of which no branch is known
 * @param waitsFor what has to come before it is emitted, in words; empty when it comes out next
 * @param remedies what an operator can do about it, in words; empty when there is nothing to do but to wait
 */
public record HeldTransaction(
        Xid xid,
        long ageMicros,
        boolean isInDoubt,
        List<HeldBranch> branches,
        List<String> unknownOn,
        List<String> waitsFor,
        List<String> remedies) {
    public HeldTransaction {
        branches = List.copyOf(branches);
        unknownOn = List.copyOf(unknownOn);
        waitsFor = List.copyOf(waitsFor);
        remedies = List.copyOf(remedies);
    }

    /** How far a branch is on its shard. */
    public enum State {
        PREPARED,
        COMMITTED,
        ROLLED_BACK
    }

    /**
     * One branch.
     *
     * @param shard the shard's name
     * @param xid bqual included
     * @param sid the source of the GTID of its PREPARE; null once it is rolled back
     * @param gno the number of that GTID
     * @param file the shard's binlog file in which the PREPARE begins, "" once it is rolled back
     * @param offset where it begins in that file
     * @param payloadBytes of its rows
     */
    public record HeldBranch(
            String shard, Xid xid, State state, Sid sid, long gno, String file, long offset, long payloadBytes) {}

    /** Bytes of all its rows. */
    public long payloadBytes() {
        return branches.stream().mapToLong(HeldBranch::payloadBytes).sum();
    }
}
