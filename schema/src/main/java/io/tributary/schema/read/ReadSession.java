package io.tributary.schema.read;

import io.tributary.common.value.ServerVersion;
import io.tributary.schema.sql.SqlMode;
import io.tributary.schema.sql.SqlScanner;
import io.tributary.schema.sql.SqlTokens;

/**
 * The properties of a session, its server and the schema on which the meaning of a statement depends.
 *
 * @param defaultSchema for names without a schema
 * @param server its product and version; version comments of later versions are left out
 */
public record ReadSession(
        String defaultSchema, SessionVariables variables, SessionCollations collations, ServerVersion server) {
    private static final long REAL_AS_FLOAT = 0x1;
    private static final long PIPES_AS_CONCAT = 0x2;
    private static final long TIME_ROUND_FRACTIONAL = 1L << 34;
    private static final long STRICT_TABLES = 0x20_0000 | 0x40_0000;

    /** A session of MySQL 8.0.31 with default settings and the strict mode. */
    public static ReadSession standard(String defaultSchema) {
        return of(ServerVersion.STANDARD, defaultSchema);
    }

    /** A session of a server with default settings and the strict mode. */
    public static ReadSession of(ServerVersion server, String defaultSchema) {
        String utf8mb4 = server.isUtf8mb4General() ? "utf8mb4_general_ci" : "utf8mb4_0900_ai_ci";
        return new ReadSession(
                defaultSchema,
                new SessionVariables(STRICT_TABLES, true, false),
                SessionCollations.of(utf8mb4, utf8mb4),
                server);
    }

    public ReadSession withSqlMode(long bits) {
        return with(new SessionVariables(bits, explicitDefaultsForTimestamp(), lowerCaseTableNames()));
    }

    public ReadSession withSchemaCollation(String collation) {
        return with(new SessionCollations(collation, databaseCollation(), utf8mb4Collation()));
    }

    /** The same session in a schema with this default, which contains the table. */
    public ReadSession withDefaultCollation(String collation) {
        return with(SessionCollations.of(collation, utf8mb4Collation()));
    }

    public ReadSession withExplicitDefaultsForTimestamp(boolean explicit) {
        return with(new SessionVariables(variables.sqlModeBits(), explicit, lowerCaseTableNames()));
    }

    /** The same session with this default_collation_for_utf8mb4. */
    public ReadSession withUtf8mb4Collation(String collation) {
        return with(new SessionCollations(schemaCollation(), databaseCollation(), collation));
    }

    public ReadSession ofServer(boolean isMariadb, int serverVersion) {
        return new ReadSession(defaultSchema, variables, collations, new ServerVersion(isMariadb, serverVersion));
    }

    private ReadSession with(SessionVariables others) {
        return new ReadSession(defaultSchema, others, collations, server);
    }

    private ReadSession with(SessionCollations others) {
        return new ReadSession(defaultSchema, variables, others, server);
    }

    String schemaCollation() {
        return collations.schema();
    }

    String databaseCollation() {
        return collations.database();
    }

    /** The collation of {@code CHARACTER SET utf8mb4} alone. */
    public String utf8mb4Collation() {
        return collations.utf8mb4();
    }

    boolean explicitDefaultsForTimestamp() {
        return variables.explicitDefaultsForTimestamp();
    }

    boolean lowerCaseTableNames() {
        return variables.lowerCaseTableNames();
    }

    /** Whether the server is MariaDB. */
    public boolean mariadb() {
        return server.mariadb();
    }

    /** The version of the server, such as 80031 or 101100. */
    int version() {
        return server.number();
    }

    /** The tokens of a statement, as its server reads them. */
    public SqlTokens scan(String statement) {
        return SqlScanner.scan(statement, mode(), server.number(), server.mariadb());
    }

    /** How statements are split into tokens. */
    public SqlMode mode() {
        return SqlMode.of(variables.sqlModeBits());
    }

    /** Whether excess digits of a time's fraction are truncated instead of rounded. */
    boolean cutsFractions() {
        return mariadb() && (variables.sqlModeBits() & TIME_ROUND_FRACTIONAL) == 0;
    }

    boolean isStrict() {
        return (variables.sqlModeBits() & STRICT_TABLES) != 0;
    }

    boolean isRealFloat() {
        return (variables.sqlModeBits() & REAL_AS_FLOAT) != 0;
    }

    /** Whether {@code ||} concatenates texts and is not OR. */
    boolean isPipesConcat() {
        return (variables.sqlModeBits() & PIPES_AS_CONCAT) != 0;
    }
}
