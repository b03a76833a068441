package io.tributary.serve.schema;

import io.tributary.serve.sql.SqlRefusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a logical schema does not have, so that tools that ask for it get an answer without rows: triggers, events and routines run on the
 * shards, and their effects are rows of the binlog; histograms and files belong to one server. The columns are those of MySQL 8.
 */
public final class AbsentPrograms {
    /** The columns of SHOW TRIGGERS. */
    public static final List<String> TRIGGERS = List.of(
            "Trigger",
            "Event",
            "Table",
            "Statement",
            "Timing",
            "Created",
            "sql_mode",
            "Definer",
            "character_set_client",
            "collation_connection",
            "Database Collation");

    /** The columns of SHOW EVENTS. */
    public static final List<String> EVENTS = List.of(
            "Db",
            "Name",
            "Definer",
            "Time zone",
            "Type",
            "Execute at",
            "Interval value",
            "Interval field",
            "Starts",
            "Ends",
            "Status",
            "Originator",
            "character_set_client",
            "collation_connection",
            "Database Collation");

    /** The columns of SHOW FUNCTION STATUS and SHOW PROCEDURE STATUS. */
    public static final List<String> ROUTINES = List.of(
            "Db",
            "Name",
            "Type",
            "Definer",
            "Modified",
            "Created",
            "Security_type",
            "Comment",
            "character_set_client",
            "collation_connection",
            "Database Collation");

    /** Tables of information_schema without rows, by their names in upper case, with their columns. */
    static final Map<String, String> VIEWS = Map.of(
            "TRIGGERS",
            "TRIGGER_CATALOG TRIGGER_SCHEMA TRIGGER_NAME EVENT_MANIPULATION EVENT_OBJECT_CATALOG EVENT_OBJECT_SCHEMA"
                    + " EVENT_OBJECT_TABLE ACTION_ORDER ACTION_CONDITION ACTION_STATEMENT ACTION_ORIENTATION ACTION_TIMING"
                    + " ACTION_REFERENCE_OLD_TABLE ACTION_REFERENCE_NEW_TABLE ACTION_REFERENCE_OLD_ROW"
                    + " ACTION_REFERENCE_NEW_ROW CREATED SQL_MODE DEFINER CHARACTER_SET_CLIENT COLLATION_CONNECTION"
                    + " DATABASE_COLLATION",
            "EVENTS",
            "EVENT_CATALOG EVENT_SCHEMA EVENT_NAME DEFINER TIME_ZONE EVENT_BODY EVENT_DEFINITION EVENT_TYPE EXECUTE_AT"
                    + " INTERVAL_VALUE INTERVAL_FIELD SQL_MODE STARTS ENDS STATUS ON_COMPLETION CREATED LAST_ALTERED"
                    + " LAST_EXECUTED EVENT_COMMENT ORIGINATOR CHARACTER_SET_CLIENT COLLATION_CONNECTION"
                    + " DATABASE_COLLATION",
            "ROUTINES",
            "SPECIFIC_NAME ROUTINE_CATALOG ROUTINE_SCHEMA ROUTINE_NAME ROUTINE_TYPE DATA_TYPE CHARACTER_MAXIMUM_LENGTH"
                    + " CHARACTER_OCTET_LENGTH NUMERIC_PRECISION NUMERIC_SCALE DATETIME_PRECISION CHARACTER_SET_NAME"
                    + " COLLATION_NAME DTD_IDENTIFIER ROUTINE_BODY ROUTINE_DEFINITION EXTERNAL_NAME EXTERNAL_LANGUAGE"
                    + " PARAMETER_STYLE IS_DETERMINISTIC SQL_DATA_ACCESS SQL_PATH SECURITY_TYPE CREATED LAST_ALTERED"
                    + " SQL_MODE ROUTINE_COMMENT DEFINER CHARACTER_SET_CLIENT COLLATION_CONNECTION DATABASE_COLLATION",
            "PARAMETERS",
            "SPECIFIC_CATALOG SPECIFIC_SCHEMA SPECIFIC_NAME ORDINAL_POSITION PARAMETER_MODE PARAMETER_NAME DATA_TYPE"
                    + " CHARACTER_MAXIMUM_LENGTH CHARACTER_OCTET_LENGTH NUMERIC_PRECISION NUMERIC_SCALE"
                    + " DATETIME_PRECISION CHARACTER_SET_NAME COLLATION_NAME DTD_IDENTIFIER ROUTINE_TYPE",
            "FILES",
            "FILE_ID FILE_NAME FILE_TYPE TABLESPACE_NAME TABLE_CATALOG TABLE_SCHEMA TABLE_NAME LOGFILE_GROUP_NAME"
                    + " LOGFILE_GROUP_NUMBER ENGINE FULLTEXT_KEYS DELETED_ROWS UPDATE_COUNT FREE_EXTENTS TOTAL_EXTENTS"
                    + " EXTENT_SIZE INITIAL_SIZE MAXIMUM_SIZE AUTOEXTEND_SIZE CREATION_TIME LAST_UPDATE_TIME"
                    + " LAST_ACCESS_TIME RECOVER_TIME TRANSACTION_COUNTER VERSION ROW_FORMAT TABLE_ROWS AVG_ROW_LENGTH"
                    + " DATA_LENGTH MAX_DATA_LENGTH INDEX_LENGTH DATA_FREE CREATE_TIME UPDATE_TIME CHECK_TIME CHECKSUM"
                    + " STATUS EXTRA",
            "COLUMN_STATISTICS",
            "SCHEMA_NAME TABLE_NAME COLUMN_NAME HISTOGRAM");

    private AbsentPrograms() {}

    /**
     * The FROM operand that replaces one of {@link #VIEWS}. It needs no right on the shard.
     *
     * @throws SqlRefusal when it is none of them
     */
    static String view(String name) {
        String columns = VIEWS.get(name.toUpperCase(Locale.ROOT));
        if (columns == null) {
            throw SqlRefusal.unsupported("Tributary does not pass information_schema." + name + " to a shard");
        }
        return Arrays.stream(columns.split(" "))
                .map(column -> "NULL AS `" + column + "`")
                .collect(Collectors.joining(", ", "(SELECT ", " FROM DUAL WHERE FALSE)"));
    }
}
