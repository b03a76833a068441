package io.tributary.common.value;

/** When a part of a DDL statement is written to the output, and what happens to rows of members on which it has not run yet. */
public enum DdlKind {
    /** CREATE TABLE or CREATE SCHEMA: written at the first member if the table does not exist in the output yet. */
    NEW,
    /** Does not change the row's shape and removes no row (indexes and constraints dropped, options): written at the first member. */
    EARLY,
    /** Changes the row's shape, or may change it: written at the first member. */
    FORWARD,
    /** Adds a constraint: written at the last member. */
    LATE,
    /** Removes or empties tables: written after the statement was received from every member (docs/ordering.md, rule 5). */
    WAIT,
    /** A view, routine, account, or a statement that is not understood: written at the first shard, counted per shard. */
    TEXT
}
