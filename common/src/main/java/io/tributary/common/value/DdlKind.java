package io.tributary.common.value;

/** When a part of a DDL statement is written to the output, and what happens to rows of members that have not had it. */
public enum DdlKind {
    /** CREATE TABLE or CREATE SCHEMA: written at the first member when the table does not exist in the output yet. */
    NEW,
    /** Does not change the row's shape and removes no row (indexes and constraints dropped, options): written at the first member. */
    EARLY,
    /** Changes the row's shape, or may: written at the first member. */
    FORWARD,
    /** Adds a constraint: written at the last member. */
    LATE,
    /** Removes or empties tables: written once every member's own statement has been received (docs/ordering.md, rule 5). */
    WAIT,
    /** A view, routine, account, or a statement that is not understood: written at the first shard, counted by shard. */
    TEXT
}
