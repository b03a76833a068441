package io.tributary.schema.read;

/**
 * The default collations of a session.
 *
 * @param schema default of the table's schema, such as {@code latin1_swedish_ci}; "" if unknown
 * @param database collation_database of the session, which {@code CONVERT TO CHARACTER SET DEFAULT} uses
 * @param utf8mb4 the collation of {@code CHARACTER SET utf8mb4} alone: default_collation_for_utf8mb4
 */
public record SessionCollations(String schema, String database, String utf8mb4) {
    /** The collations of a session whose default schema has the same collation as the table's. */
    public static SessionCollations of(String schema, String utf8mb4) {
        return new SessionCollations(schema, schema, utf8mb4);
    }
}
