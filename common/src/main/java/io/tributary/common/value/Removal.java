package io.tributary.common.value;

/** What becomes of a statement that removes a table of a member, or all its rows. */
public enum Removal {
    /** It waits for the other members' own, and is written then. */
    WAIT,
    /** It changes the member only and is not written: the rows stay on the replicas. */
    IGNORE
}
