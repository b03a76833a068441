package io.tributary.common.order;

/** The sources of the global order. */
public enum OrderMode {
    /** From prepares, commits and heartbeat rounds; needs only MySQL. */
    XA,
    /** From the commit timestamp that a coordinator gives each distributed transaction. */
    TSO
}
