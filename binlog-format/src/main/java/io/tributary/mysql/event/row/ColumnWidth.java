package io.tributary.mysql.event.row;

import io.tributary.mysql.event.ColumnType;

/** The bytes of a value in a row image by its column's type (calc_field_size in libbinlogevents). */
final class ColumnWidth {
    private static final int DECIMAL_GROUP = 9;
    /** Bytes of a group of 0..9 decimal digits. */
    private static final int[] DECIMAL_BYTES = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

    private ColumnWidth() {}

    /** The width of a value of this type, see {@link TableShape#width}. */
    static int of(int type, int metadata) {
        return switch (type) {
            case ColumnType.MYSQL_TYPE_VARCHAR, ColumnType.MYSQL_TYPE_VAR_STRING, ColumnType.MYSQL_TYPE_STRING ->
                metadata > 255 ? -2 : -1;
            case ColumnType.MYSQL_TYPE_BLOB,
                    ColumnType.MYSQL_TYPE_JSON,
                    ColumnType.MYSQL_TYPE_GEOMETRY,
                    ColumnType.MYSQL_TYPE_VECTOR -> -Math.max(1, Math.min(4, metadata));
            default -> fixedLength(type, metadata);
        };
    }

    private static int fixedLength(int type, int metadata) {
        return switch (type) {
            case ColumnType.MYSQL_TYPE_NULL -> 0;
            case ColumnType.MYSQL_TYPE_TINY, ColumnType.MYSQL_TYPE_YEAR -> 1;
            case ColumnType.MYSQL_TYPE_SHORT -> 2;
            case ColumnType.MYSQL_TYPE_INT24,
                    ColumnType.MYSQL_TYPE_DATE,
                    ColumnType.MYSQL_TYPE_NEWDATE,
                    ColumnType.MYSQL_TYPE_TIME -> 3;
            case ColumnType.MYSQL_TYPE_LONG, ColumnType.MYSQL_TYPE_FLOAT, ColumnType.MYSQL_TYPE_TIMESTAMP -> 4;
            case ColumnType.MYSQL_TYPE_LONGLONG, ColumnType.MYSQL_TYPE_DOUBLE, ColumnType.MYSQL_TYPE_DATETIME -> 8;
            case ColumnType.MYSQL_TYPE_TIME2 -> 3 + (metadata + 1) / 2;
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> 4 + (metadata + 1) / 2;
            case ColumnType.MYSQL_TYPE_DATETIME2 -> 5 + (metadata + 1) / 2;
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> decimal(metadata & 0xff, metadata >> 8);
            case ColumnType.MYSQL_TYPE_BIT -> (metadata >> 8) + ((metadata & 0xff) + 7) / 8;
            case ColumnType.MYSQL_TYPE_ENUM, ColumnType.MYSQL_TYPE_SET -> metadata;
            default -> TableShape.UNKNOWN_WIDTH;
        };
    }

    private static int decimal(int precision, int scale) {
        return decimalDigits(Math.max(0, precision - scale)) + decimalDigits(scale);
    }

    private static int decimalDigits(int digits) {
        return digits / DECIMAL_GROUP * 4 + DECIMAL_BYTES[digits % DECIMAL_GROUP];
    }
}
