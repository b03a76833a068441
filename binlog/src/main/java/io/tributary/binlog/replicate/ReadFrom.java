package io.tributary.binlog.replicate;

/** The Dumpers that serve readers. */
public enum ReadFrom {
    LEADER,
    ANY
}
