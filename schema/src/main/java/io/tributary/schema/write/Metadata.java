package io.tributary.schema.write;

/**
 * The metadata that a server writes into a table map in addition to types and the null bitmap.
 *
 * @param kind binlog_row_metadata
 * @param mariadb whether the server is MariaDB, which does not write visibility
 * @param version of the server, such as 80031
 */
public record Metadata(Kind kind, boolean mariadb, int version) {
    /** The values of binlog_row_metadata. */
    public enum Kind {
        /** MySQL before 8.0.1, MariaDB before 10.5, MariaDB's NO_LOG: nothing. */
        NONE,
        MINIMAL,
        FULL
    }

    /** As MySQL 8.0.31 writes it with binlog_row_metadata=FULL. */
    public static final Metadata FULL = new Metadata(Kind.FULL, false, 80031);

    /** As MySQL 8.0.31 writes it with binlog_row_metadata=MINIMAL. */
    static final Metadata MINIMAL = new Metadata(Kind.MINIMAL, false, 80031);
}
