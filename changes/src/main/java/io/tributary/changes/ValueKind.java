package io.tributary.changes;

/** The kind of a column's values, by which formats select how they are written. */
public enum ValueKind {
    /** TINYINT to BIGINT, with or without sign. */
    INTEGER,
    DECIMAL,
    FLOAT,
    DOUBLE,
    /** 1 to 64 bits. */
    BIT,
    YEAR,
    DATE,
    TIME,
    DATETIME,
    /** A time in UTC. */
    TIMESTAMP,
    ENUM,
    SET,
    /** Characters: CHAR, VARCHAR, the TEXT types. */
    TEXT,
    /** Bytes: BINARY, VARBINARY, the BLOB types, INET4, INET6 and UUID of MariaDB. */
    BYTES,
    JSON,
    /** 4 bytes of the SRID, then WKB. */
    GEOMETRY,
    /** 4-byte floating-point numbers, the lowest byte first. */
    VECTOR
}
