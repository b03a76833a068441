package io.tributary.testkit.workload;

import java.util.EnumSet;
import java.util.Set;

/** The unusual patterns of XA transactions that applications and coordinators produce. */
public enum XaPathology {
    /** All branches prepared, then all rolled back. */
    ROLLBACK_AFTER_PREPARE,
    /** Rolled back without prepare: it is not in the binlog. */
    ROLLBACK_UNPREPARED,
    /** XA COMMIT ... ONE PHASE, on one shard. */
    ONE_PHASE,
    /** One or all branches write nothing. */
    EMPTY_BRANCH,
    /** Stays prepared while many other transactions run. */
    PREPARED_FOR_LONG,
    /** The coordinator ends between two commits, or before the first; another one finds the branches by XA RECOVER. */
    KILLED_COORDINATOR,
    /** The same name is used again as soon as it is free: committed, rolled back, committed. */
    REUSED_GTRID,
    /** gtrid and bqual with all byte values, up to 64 bytes, bqual also empty. */
    BINARY_XID,
    /** formatID from 0 to 2^31-1. */
    OTHER_FORMAT_ID,
    /** Two branches of one transaction on the same shard. */
    TWO_BRANCHES_ON_ONE_SHARD,
    /** Two transactions over the same shards whose commits have a different order on each. */
    CROSSED_COMMITS,
    /** Plain local transactions in between, with and without savepoints. */
    LOCAL_BETWEEN,
    /** Not two-phase commit: a branch is first prepared after another was committed. */
    BRANCH_AFTER_COMMIT,
    /** Not two-phase commit: one branch is committed, the other rolled back. */
    HALF_ROLLED_BACK;

    /** All kinds that follow two-phase commit: the invariants hold for these. */
    public static Set<XaPathology> legal() {
        return EnumSet.complementOf(EnumSet.of(BRANCH_AFTER_COMMIT, HALF_ROLLED_BACK));
    }
}
