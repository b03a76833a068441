package io.tributary.dumper;

/** When written bytes are forced to disk; readers are served what is forced, or with NEVER what is written. */
public enum BinlogSync {
    /** After every flushed batch (group commit). */
    ALWAYS,
    /** Every {@code binlog.sync.interval}. */
    INTERVAL,
    /** When the operating system likes: a machine that crashes may lose transactions that readers have seen. */
    NEVER
}
