package io.tributary.common.value;

/** What to do with a statement that removes a table of a member, or all its rows. */
public enum Removal {
    /** It waits for the same statement of the other members, and is then written. */
    WAIT,
    /** It changes the member only and is not written: the rows stay on the replicas. */
    IGNORE
}
