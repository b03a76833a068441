package io.tributary.common.order;

/** What decides the global order. */
public enum OrderMode {
    /** Prepares, commits and heartbeat rounds; needs nothing but MySQL. */
    XA,
    /** The commit timestamp that a coordinator gave each distributed transaction. */
    TSO
}
