package io.tributary.common.value;

/** The kinds of tokens in a shard's binlog; ordering.md gives each its letter. */
public enum TokenKind {
    /** L: a local transaction, including XA COMMIT ... ONE PHASE; has a payload. */
    LOCAL,
    /** P: an XA branch was prepared; has an XID and a payload. */
    PREPARE,
    /** C: a prepared branch committed; has an XID. */
    COMMIT,
    /** R: a prepared branch was rolled back; has an XID. */
    ROLLBACK,
    /** H: a heartbeat round. */
    ROUND,
    /** D: a DDL statement; has a payload of one QUERY event. */
    DDL,
    /** A transaction that is left out (a filtered schema, a takeover of rounds): it only moves the frontier. */
    SKIPPED
}
