package io.tributary.schema.read;

/**
 * Variables of a session and its server.
 *
 * @param sqlModeBits sql_mode as in the status variable Q_SQL_MODE_CODE
 * @param explicitDefaultsForTimestamp the variable explicit_defaults_for_timestamp
 * @param lowerCaseTableNames whether the server stores table names in lower case (lower_case_table_names is not 0)
 */
public record SessionVariables(long sqlModeBits, boolean explicitDefaultsForTimestamp, boolean lowerCaseTableNames) {}
