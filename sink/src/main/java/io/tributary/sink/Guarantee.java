package io.tributary.sink;

/** How often a row arrives. */
public enum Guarantee {
    /** Once, for consumers that read committed messages only. */
    EXACTLY_ONCE,
    /** Once or, after an error, several times. */
    AT_LEAST_ONCE
}
