package io.tributary.collector;

/** What happens to the primary keys that servers make, in tables of several members. */
public enum GeneratedKeys {
    /** Their column is cut from rows. */
    DROP,
    /** They stay. */
    KEEP
}
