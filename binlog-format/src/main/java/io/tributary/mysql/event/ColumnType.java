package io.tributary.mysql.event;

/** Column types by MySQL's names (include/field_types.h), and the metadata of each type in a table map (sql/log_event.cc). */
public final class ColumnType {
    public static final int MYSQL_TYPE_DECIMAL = 0;
    public static final int MYSQL_TYPE_TINY = 1;
    public static final int MYSQL_TYPE_SHORT = 2;
    public static final int MYSQL_TYPE_LONG = 3;
    public static final int MYSQL_TYPE_FLOAT = 4;
    public static final int MYSQL_TYPE_DOUBLE = 5;
    public static final int MYSQL_TYPE_NULL = 6;
    public static final int MYSQL_TYPE_TIMESTAMP = 7;
    public static final int MYSQL_TYPE_LONGLONG = 8;
    public static final int MYSQL_TYPE_INT24 = 9;
    public static final int MYSQL_TYPE_DATE = 10;
    public static final int MYSQL_TYPE_TIME = 11;
    public static final int MYSQL_TYPE_DATETIME = 12;
    public static final int MYSQL_TYPE_YEAR = 13;
    public static final int MYSQL_TYPE_NEWDATE = 14;
    public static final int MYSQL_TYPE_VARCHAR = 15;
    public static final int MYSQL_TYPE_BIT = 16;
    public static final int MYSQL_TYPE_TIMESTAMP2 = 17;
    public static final int MYSQL_TYPE_DATETIME2 = 18;
    public static final int MYSQL_TYPE_TIME2 = 19;
    public static final int MYSQL_TYPE_TYPED_ARRAY = 20;
    /** MariaDB: TEXT or BLOB with the attribute COMPRESSED. */
    public static final int MYSQL_TYPE_BLOB_COMPRESSED = 140;
    /** MariaDB: VARCHAR or VARBINARY with the attribute COMPRESSED. */
    public static final int MYSQL_TYPE_VARCHAR_COMPRESSED = 141;

    public static final int MYSQL_TYPE_VECTOR = 242;
    public static final int MYSQL_TYPE_JSON = 245;
    public static final int MYSQL_TYPE_NEWDECIMAL = 246;
    public static final int MYSQL_TYPE_ENUM = 247;
    public static final int MYSQL_TYPE_SET = 248;
    public static final int MYSQL_TYPE_TINY_BLOB = 249;
    public static final int MYSQL_TYPE_MEDIUM_BLOB = 250;
    public static final int MYSQL_TYPE_LONG_BLOB = 251;
    public static final int MYSQL_TYPE_BLOB = 252;
    public static final int MYSQL_TYPE_VAR_STRING = 253;
    public static final int MYSQL_TYPE_STRING = 254;
    public static final int MYSQL_TYPE_GEOMETRY = 255;

    private ColumnType() {}

    /** Bytes of a type's metadata in a table map, 0..2; a typed array has a byte with its element type before the element's metadata. */
    public static int metadataLength(int type) {
        return switch (type) {
            case MYSQL_TYPE_FLOAT,
                    MYSQL_TYPE_DOUBLE,
                    MYSQL_TYPE_TIMESTAMP2,
                    MYSQL_TYPE_DATETIME2,
                    MYSQL_TYPE_TIME2,
                    MYSQL_TYPE_VECTOR,
                    MYSQL_TYPE_JSON,
                    MYSQL_TYPE_BLOB,
                    MYSQL_TYPE_BLOB_COMPRESSED,
                    MYSQL_TYPE_GEOMETRY -> 1;
            case MYSQL_TYPE_VARCHAR,
                    MYSQL_TYPE_VARCHAR_COMPRESSED,
                    MYSQL_TYPE_BIT,
                    MYSQL_TYPE_NEWDECIMAL,
                    MYSQL_TYPE_ENUM,
                    MYSQL_TYPE_SET,
                    MYSQL_TYPE_VAR_STRING,
                    MYSQL_TYPE_STRING -> 2;
            default -> 0;
        };
    }

    /** Whether the signedness bitmap of the optional metadata has a bit for the type (is_numeric_type in sql/log_event.cc). */
    public static boolean isNumeric(int type) {
        return switch (type) {
            case MYSQL_TYPE_TINY,
                    MYSQL_TYPE_SHORT,
                    MYSQL_TYPE_INT24,
                    MYSQL_TYPE_LONG,
                    MYSQL_TYPE_LONGLONG,
                    MYSQL_TYPE_NEWDECIMAL,
                    MYSQL_TYPE_FLOAT,
                    MYSQL_TYPE_DOUBLE,
                    MYSQL_TYPE_YEAR -> true;
            default -> false;
        };
    }

    /** Whether the character sets of the optional metadata have an entry for the type (is_character_type in sql/log_event.cc). */
    public static boolean isCharacter(int type) {
        return type == MYSQL_TYPE_STRING
                || type == MYSQL_TYPE_VAR_STRING
                || type == MYSQL_TYPE_VARCHAR
                || type == MYSQL_TYPE_BLOB
                || type == MYSQL_TYPE_VECTOR;
    }

    /** Whether the type is MariaDB's, for a column with the attribute COMPRESSED; MySQL has no such type. */
    public static boolean isCompressed(int type) {
        return type == MYSQL_TYPE_BLOB_COMPRESSED || type == MYSQL_TYPE_VARCHAR_COMPRESSED;
    }

    /** Whether a table can have columns of this type in a binlog. */
    static boolean isKnown(int type) {
        return (type > MYSQL_TYPE_DECIMAL && type <= MYSQL_TYPE_TYPED_ARRAY)
                || type == MYSQL_TYPE_VECTOR
                || type >= MYSQL_TYPE_JSON
                || isCompressed(type);
    }
}
