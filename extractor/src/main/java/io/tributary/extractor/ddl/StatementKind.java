package io.tributary.extractor.ddl;

/** The kind of a statement that is text in a binlog. */
public enum StatementKind {
    /** Creates, changes, empties or removes tables or their indexes. */
    TABLE,
    /** Creates, changes or removes a schema. */
    SCHEMA,
    /** A view, trigger, routine or event. */
    PROGRAM,
    /** Accounts, roles and rights. */
    ACCOUNT,
    /** Concerns only this server and changes no logical object: ANALYZE, FLUSH, plugins, temporary tables. */
    SERVER,
    /** Changes rows: it was logged in statement format. */
    ROWS,
    /** BEGIN, COMMIT, SAVEPOINT and similar statements. */
    TRANSACTION,
    /** Anything else. */
    OTHER
}
