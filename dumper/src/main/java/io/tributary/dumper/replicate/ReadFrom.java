package io.tributary.dumper.replicate;

/** Which Dumpers readers may attach to. */
public enum ReadFrom {
    LEADER,
    ANY
}
