package io.tributary.schema.read;

import io.tributary.common.value.ServerVersion;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;

/**
 * The properties of a session, its server and the schema on which the meaning of a statement depends.
 *
 * @param defaultSchema for names without a schema
 * @param sqlModeBits sql_mode as in the status variable Q_SQL_MODE_CODE
 * @param schemaCollation default of the table's schema, such as {@code latin1_swedish_ci}; "" if unknown
 * @param databaseCollation collation_database of the session, which {@code CONVERT TO CHARACTER SET DEFAULT} uses
 * @param utf8mb4Collation the collation of {@code CHARACTER SET utf8mb4} alone: default_collation_for_utf8mb4
 * @param explicitDefaultsForTimestamp the variable explicit_defaults_for_timestamp
 * @param lowerCaseTableNames whether the server stores table names in lower case (lower_case_table_names is not 0)
 * @param mariadb whether the server is MariaDB
 * @param version of the server, such as 80031 or 101100; version comments of later ones are left out
 */
public record ReadSession(
        String defaultSchema,
        long sqlModeBits,
        String schemaCollation,
        String databaseCollation,
        String utf8mb4Collation,
        boolean explicitDefaultsForTimestamp,
        boolean lowerCaseTableNames,
        boolean mariadb,
        int version) {
    private static final long REAL_AS_FLOAT = 0x1;
    private static final long PIPES_AS_CONCAT = 0x2;
    private static final long TIME_ROUND_FRACTIONAL = 1L << 34;
    private static final long STRICT_TABLES = 0x20_0000 | 0x40_0000;

    /** A session whose default schema has the same collation as the table's. */
    public ReadSession(
            String defaultSchema,
            long sqlModeBits,
            String schemaCollation,
            String utf8mb4Collation,
            boolean explicitDefaultsForTimestamp,
            boolean lowerCaseTableNames,
            boolean mariadb,
            int version) {
        this(
                defaultSchema,
                sqlModeBits,
                schemaCollation,
                schemaCollation,
                utf8mb4Collation,
                explicitDefaultsForTimestamp,
                lowerCaseTableNames,
                mariadb,
                version);
    }

    /** A session of MySQL 8.0.31 with default settings and the strict mode. */
    public static ReadSession standard(String defaultSchema) {
        return of(ServerVersion.STANDARD, defaultSchema);
    }

    /** A session of a server with default settings and the strict mode. */
    public static ReadSession of(ServerVersion server, String defaultSchema) {
        String utf8mb4 = server.isUtf8mb4General() ? "utf8mb4_general_ci" : "utf8mb4_0900_ai_ci";
        return new ReadSession(
                defaultSchema, STRICT_TABLES, utf8mb4, utf8mb4, true, false, server.mariadb(), server.number());
    }

    public ReadSession withSqlMode(long bits) {
        return new ReadSession(
                defaultSchema,
                bits,
                schemaCollation,
                databaseCollation,
                utf8mb4Collation,
                explicitDefaultsForTimestamp,
                lowerCaseTableNames,
                mariadb,
                version);
    }

    public ReadSession withSchemaCollation(String collation) {
        return new ReadSession(
                defaultSchema,
                sqlModeBits,
                collation,
                databaseCollation,
                utf8mb4Collation,
                explicitDefaultsForTimestamp,
                lowerCaseTableNames,
                mariadb,
                version);
    }

    /** The same session in a schema with this default, which contains the table. */
    public ReadSession withDefaultCollation(String collation) {
        return new ReadSession(
                defaultSchema,
                sqlModeBits,
                collation,
                collation,
                utf8mb4Collation,
                explicitDefaultsForTimestamp,
                lowerCaseTableNames,
                mariadb,
                version);
    }

    public ReadSession withExplicitDefaultsForTimestamp(boolean explicit) {
        return new ReadSession(
                defaultSchema,
                sqlModeBits,
                schemaCollation,
                databaseCollation,
                utf8mb4Collation,
                explicit,
                lowerCaseTableNames,
                mariadb,
                version);
    }

    /** The same session with this default_collation_for_utf8mb4. */
    public ReadSession withUtf8mb4Collation(String collation) {
        return new ReadSession(
                defaultSchema,
                sqlModeBits,
                schemaCollation,
                databaseCollation,
                collation,
                explicitDefaultsForTimestamp,
                lowerCaseTableNames,
                mariadb,
                version);
    }

    public ReadSession ofServer(boolean isMariadb, int serverVersion) {
        return new ReadSession(
                defaultSchema,
                sqlModeBits,
                schemaCollation,
                databaseCollation,
                utf8mb4Collation,
                explicitDefaultsForTimestamp,
                lowerCaseTableNames,
                isMariadb,
                serverVersion);
    }

    /** The tokens of a statement, as its server reads them. */
    public SqlTokens scan(String statement) {
        return SqlScanner.scan(statement, mode(), version, mariadb);
    }

    /** How statements are split into tokens. */
    public SqlMode mode() {
        return SqlMode.of(sqlModeBits);
    }

    /** Whether excess digits of a time's fraction are truncated instead of rounded. */
    boolean cutsFractions() {
        return mariadb && (sqlModeBits & TIME_ROUND_FRACTIONAL) == 0;
    }

    boolean isStrict() {
        return (sqlModeBits & STRICT_TABLES) != 0;
    }

    boolean isRealFloat() {
        return (sqlModeBits & REAL_AS_FLOAT) != 0;
    }

    /** Whether {@code ||} concatenates texts and is not OR. */
    boolean isPipesConcat() {
        return (sqlModeBits & PIPES_AS_CONCAT) != 0;
    }
}
