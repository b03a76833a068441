package io.tributary.extractor.ddl;

/** What a statement that stands as text in a binlog is about. */
public enum StatementKind {
    /** Makes, changes, empties or removes tables or their indexes. */
    TABLE,
    /** Makes, changes or removes a schema. */
    SCHEMA,
    /** A view, trigger, routine or event. */
    PROGRAM,
    /** Accounts, roles and rights. */
    ACCOUNT,
    /** Means this one server only and changes no logical thing: ANALYZE, FLUSH, plugins, temporary tables. */
    SERVER,
    /** Changes rows: it was logged in statement format. */
    ROWS,
    /** BEGIN, COMMIT, SAVEPOINT and the like. */
    TRANSACTION,
    /** Anything else. */
    OTHER
}
