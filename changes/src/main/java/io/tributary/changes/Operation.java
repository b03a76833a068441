package io.tributary.changes;

/** What happened to a row. */
public enum Operation {
    INSERT,
    UPDATE,
    DELETE
}
