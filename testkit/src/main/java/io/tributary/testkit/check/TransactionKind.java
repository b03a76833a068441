package io.tributary.testkit.check;

/** The form of a transaction in a binlog. */
public enum TransactionKind {
    /** BEGIN to XID or COMMIT, also without any change. */
    LOCAL,
    /** A single statement. */
    DDL,
    /** XA START to XA PREPARE. */
    XA_PREPARED,
    /** XA START to XA COMMIT ... ONE PHASE. */
    XA_ONE_PHASE,
    XA_COMMITTED,
    XA_ROLLED_BACK
}
