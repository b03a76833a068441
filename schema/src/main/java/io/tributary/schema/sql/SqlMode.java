package io.tributary.schema.sql;

/**
 * The bits of a session's sql_mode that change how its statements are split into tokens.
 *
 * @param ansiQuotes {@code "x"} is a name, not a string
 * @param backslashEscapes a backslash in a string escapes the character after it
 */
public record SqlMode(boolean ansiQuotes, boolean backslashEscapes) {
    /** The server's default. */
    public static final SqlMode DEFAULT = new SqlMode(false, true);

    private static final long ANSI_QUOTES = 0x4;
    private static final long NO_BACKSLASH_ESCAPES = 0x10_0000;

    /** @param bits sql_mode in the status variable Q_SQL_MODE_CODE of a QUERY event (sql/system_variables.h, MODE_*) */
    public static SqlMode of(long bits) {
        return new SqlMode((bits & ANSI_QUOTES) != 0, (bits & NO_BACKSLASH_ESCAPES) == 0);
    }
}
