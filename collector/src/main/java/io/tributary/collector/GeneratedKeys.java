package io.tributary.collector;

/** What to do with the primary keys that servers generate, in tables of several members. */
public enum GeneratedKeys {
    /** Their column is removed from rows. */
    DROP,
    /** They stay. */
    KEEP
}
