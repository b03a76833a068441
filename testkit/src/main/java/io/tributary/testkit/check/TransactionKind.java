package io.tributary.testkit.check;

/** How a transaction stands in a binlog. */
public enum TransactionKind {
    /** BEGIN to XID or COMMIT; also one without any change. */
    LOCAL,
    /** A statement alone. */
    DDL,
    /** XA START to XA PREPARE. */
    XA_PREPARED,
    /** XA START to XA COMMIT ... ONE PHASE. */
    XA_ONE_PHASE,
    XA_COMMITTED,
    XA_ROLLED_BACK
}
