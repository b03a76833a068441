package io.tributary.dumper.replicate;

/** The Dumpers that serve readers. */
public enum ReadFrom {
    LEADER,
    ANY
}
