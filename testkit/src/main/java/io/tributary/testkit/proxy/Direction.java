package io.tributary.testkit.proxy;

/** The direction of bytes through a proxy. */
public enum Direction {
    /** From the client of the proxy to the target. */
    TO_TARGET,
    /** From the target to the client. */
    TO_CLIENT
}
