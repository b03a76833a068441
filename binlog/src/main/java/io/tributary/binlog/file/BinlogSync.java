package io.tributary.binlog.file;

/** When written bytes are synced to disk. Readers get what is synced, or with NEVER what is written. */
public enum BinlogSync {
    /** After every flushed batch (group commit). */
    ALWAYS,
    /** Every {@code binlog.sync.interval}. */
    INTERVAL,
    /** When the operating system decides: a machine that crashes may lose transactions that readers have read. */
    NEVER
}
