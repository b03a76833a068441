package io.tributary.common.error;

/** What a failure asks for. */
public enum Severity {
    /** The role rebuilds its pipeline from the last cut, with growing pauses. */
    RETRY,
    /** An operator has to act; the node stops. */
    OPERATOR,
    /** Two facts that cannot both be true: the node stops and keeps the evidence. */
    CONTRADICTION
}
