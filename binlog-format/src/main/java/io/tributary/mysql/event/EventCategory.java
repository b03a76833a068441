package io.tributary.mysql.event;

/** What the events of a type are for, and how the extractor handles them. */
public enum EventCategory {
    /** Begins a transaction with its GTID. */
    GTID,
    /** Begins a transaction without a GTID; refused. */
    ANONYMOUS_GTID,
    /** A statement: begin or end of a transaction, DDL, or one that is refused. */
    STATEMENT,
    /** A statement that is compressed; unpacked, then read as {@link #STATEMENT}. */
    COMPRESSED_STATEMENT,
    /** A value that the next statement may use, such as a user variable; noted. */
    STATEMENT_CONTEXT,
    /** The table of rows; written once for each statement. */
    TABLE_MAP,
    /** Rows of a table; passed on. */
    ROWS,
    /** Rows that are compressed; unpacked, then read as {@link #ROWS}. */
    COMPRESSED_ROWS,
    /** The text of the statement whose rows follow; passed on with them. */
    ROWS_QUERY,
    /** The events of a transaction, compressed; unpacked, then read one by one. */
    TRANSACTION_PAYLOAD,
    /** Commits a transaction. */
    COMMIT,
    /** Prepares a branch, or commits it in one phase. */
    XA_PREPARE,
    /** A commit timestamp of PolarDB-X. */
    COMMIT_TIMESTAMP,
    /** Begins a file and describes its format. */
    FORMAT_DESCRIPTION,
    /** Names the file and the position of the events that follow. */
    ROTATE,
    /** Sent while there are no other events; not in a file. */
    HEARTBEAT,
    /** About the server's own log or group, or without a meaning for replicas; ignored. */
    IGNORED,
    /** A part of LOAD DATA as a statement; refused. */
    LOAD_DATA,
    /** Begins the encrypted part of a file; refused. */
    ENCRYPTION,
    /** Reports that the server lost events; refused. */
    INCIDENT,
    /** Not known, or of a server that is too old; refused, unless its writer marked it as ignorable. */
    UNSUPPORTED
}
