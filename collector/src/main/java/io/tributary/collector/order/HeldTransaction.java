package io.tributary.collector.order;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Xid;
import java.util.List;

/**
 * A distributed transaction that is not emitted yet, as it is shown to an operator.
 *
 * @param xid gtrid and formatID, which its branches share; prints in the syntax of XA statements
 * @param ageMicros the time since its first branch was prepared by the shard's clock, or since it was read if the shard writes no time
 * @param isInDoubt whether it was reported in the log because it is open for long
 * @param branches the known branches, in the order of shards
 * @param diagnosis what it waits for
 */
public record HeldTransaction(
        Xid xid, long ageMicros, boolean isInDoubt, List<HeldBranch> branches, Diagnosis diagnosis) {
    /** The branches do not change any more. */
    public HeldTransaction {
        branches = List.copyOf(branches);
    }

    /**
     * Why a transaction is not emitted, and what an operator can do.
     *
     * @param unknownOn the shards of which no branch is known
     * @param waitsFor the conditions that must be met before it is emitted, as text; empty if it is emitted next
     * @param remedies the actions that an operator can take, as text; empty if the only action is to wait
     */
    public record Diagnosis(List<String> unknownOn, List<String> waitsFor, List<String> remedies) {
        public Diagnosis {
            unknownOn = List.copyOf(unknownOn);
            waitsFor = List.copyOf(waitsFor);
            remedies = List.copyOf(remedies);
        }
    }

    /** The state of a branch on its shard. */
    public enum State {
        PREPARED,
        COMMITTED,
        ROLLED_BACK
    }

    /**
     * One branch.
     *
     * @param shard the shard's name
     * @param xid with bqual
     * @param sid the source of the GTID of its PREPARE; null once it is rolled back
     * @param gno the number of that GTID
     * @param file the shard's binlog file in which the PREPARE begins, "" once it is rolled back
     * @param offset the offset in that file at which it begins
     * @param payloadBytes bytes of its rows
     */
    public record HeldBranch(
            String shard, Xid xid, State state, Sid sid, long gno, String file, long offset, long payloadBytes) {}

    /** Bytes of the rows of all branches. */
    public long payloadBytes() {
        return branches.stream().mapToLong(HeldBranch::payloadBytes).sum();
    }
}
