package io.tributary.schema.write;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.schema.definition.SqlType;

/**
 * A type in the form of a table map (Field::save_field_metadata of each type in sql/field.cc).
 *
 * @param code one of {@link ColumnType}
 * @param metadata its bytes, 0..255 each
 */
record MapType(int code, int... metadata) {
    private static final int LONGEST_CHARACTER = 4;
    private static final int BYTE_VALUES = 256;

    static MapType of(SqlType type) {
        return switch (type.name()) {
            case "tinyint" -> new MapType(ColumnType.MYSQL_TYPE_TINY);
            case "smallint" -> new MapType(ColumnType.MYSQL_TYPE_SHORT);
            case "mediumint" -> new MapType(ColumnType.MYSQL_TYPE_INT24);
            case "int" -> new MapType(ColumnType.MYSQL_TYPE_LONG);
            case "bigint" -> new MapType(ColumnType.MYSQL_TYPE_LONGLONG);
            case "decimal" -> new MapType(ColumnType.MYSQL_TYPE_NEWDECIMAL, type.length(), type.decimals());
            case "float" -> new MapType(ColumnType.MYSQL_TYPE_FLOAT, Float.BYTES);
            case "double" -> new MapType(ColumnType.MYSQL_TYPE_DOUBLE, Double.BYTES);
            case "bit" -> new MapType(ColumnType.MYSQL_TYPE_BIT, type.length() % 8, type.length() / 8);
            case "year" -> new MapType(ColumnType.MYSQL_TYPE_YEAR);
            case "date" -> new MapType(ColumnType.MYSQL_TYPE_DATE);
            case "time" -> new MapType(ColumnType.MYSQL_TYPE_TIME2, type.decimals());
            case "datetime" -> new MapType(ColumnType.MYSQL_TYPE_DATETIME2, type.decimals());
            case "timestamp" -> new MapType(ColumnType.MYSQL_TYPE_TIMESTAMP2, type.decimals());
            case "char" -> string(type.length() * characterLength(type));
            case "binary" -> string(type.length());
            case "varchar" -> variable(type.length() * characterLength(type));
            case "varbinary" -> variable(type.length());
            case "tinytext", "tinyblob" -> new MapType(ColumnType.MYSQL_TYPE_BLOB, 1);
            case "text", "blob" -> new MapType(ColumnType.MYSQL_TYPE_BLOB, 2);
            case "mediumtext", "mediumblob" -> new MapType(ColumnType.MYSQL_TYPE_BLOB, 3);
            case "longtext", "longblob" -> new MapType(ColumnType.MYSQL_TYPE_BLOB, 4);
            case "json" -> new MapType(ColumnType.MYSQL_TYPE_JSON, 4);
            case "vector" -> new MapType(ColumnType.MYSQL_TYPE_VECTOR, 4);
            case "enum" -> new MapType(ColumnType.MYSQL_TYPE_STRING, ColumnType.MYSQL_TYPE_ENUM, enumBytes(type));
            case "set" -> new MapType(ColumnType.MYSQL_TYPE_STRING, ColumnType.MYSQL_TYPE_SET, setBytes(type));
            case "uuid", "inet6" -> string(16);
            case "inet4" -> string(4);
            default -> other(type);
        };
    }

    private static MapType other(SqlType type) {
        if (type.isGeometry()) {
            return new MapType(ColumnType.MYSQL_TYPE_GEOMETRY, 4);
        }
        throw new IllegalArgumentException("type " + type.name());
    }

    /** Two bits of a length above 255 are stored inverted in the type. */
    private static MapType string(int bytes) {
        int type = ColumnType.MYSQL_TYPE_STRING ^ ((bytes & 0x300) >> 4);
        return new MapType(ColumnType.MYSQL_TYPE_STRING, type, bytes & 0xFF);
    }

    private static MapType variable(int bytes) {
        return new MapType(ColumnType.MYSQL_TYPE_VARCHAR, bytes & 0xFF, bytes >> 8);
    }

    private static int characterLength(SqlType type) {
        return Collations.named(type.collation()).map(Collation::maxLength).orElse(LONGEST_CHARACTER);
    }

    private static int enumBytes(SqlType type) {
        return type.values().size() < BYTE_VALUES ? 1 : 2;
    }

    private static int setBytes(SqlType type) {
        int bytes = (type.values().size() + 7) / 8;
        return bytes > 4 ? 8 : bytes;
    }
}
