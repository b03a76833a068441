package io.tributary.testkit.proxy;

/** Which way bytes go through a proxy. */
public enum Direction {
    /** From whoever connected to the proxy to the target. */
    TO_TARGET,
    /** From the target back to whoever connected. */
    TO_CLIENT
}
