package io.tributary.schema.rows.convert;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import java.util.List;

/**
 * The known properties of how a column's values are stored.
 *
 * @param type one of {@link ColumnType}
 * @param metadata as in {@link TableShape#metadata}
 * @param width as in {@link TableShape#width}
 * @param charset null if unknown and for columns without one
 * @param signIsKnown whether {@code unsigned} is known
 * @param unsigned of a numeric column
 * @param isNullable whether it may be null
 * @param values of an ENUM or SET column, in its character set; empty = unknown
 * @param detail as in {@link TableShape#detail}
 * @param zerofill as in {@link ColumnFacts}
 */
public record StoredColumn(
        int type,
        int metadata,
        int width,
        CharacterSet charset,
        int collation,
        boolean signIsKnown,
        boolean unsigned,
        boolean isNullable,
        List<byte[]> values,
        int detail,
        int zerofill) {
    public static StoredColumn of(TableShape shape, int column, ColumnFacts facts) {
        int collation = shape.collation(column) == 0 ? facts.collation() : shape.collation(column);
        boolean signIsKnown = shape.saysSigns() || facts.unsigned().isPresent();
        return new StoredColumn(
                shape.type(column) == ColumnType.MYSQL_TYPE_VAR_STRING
                        ? ColumnType.MYSQL_TYPE_VARCHAR
                        : shape.type(column),
                shape.metadata(column),
                shape.width(column),
                CharacterSet.of(collation),
                collation,
                signIsKnown,
                shape.saysSigns() ? shape.isUnsigned(column) : facts.unsigned().orElse(false),
                shape.isNullable(column),
                shape.values(column).isEmpty() ? facts.values() : shape.values(column),
                shape.detail(column),
                facts.zerofill());
    }

    /** Bytes of the length before a value; 0 for types of fixed length. */
    public int prefix() {
        return width < 0 && width != TableShape.UNKNOWN_WIDTH ? -width : 0;
    }

    public boolean isInteger() {
        return integerBytes() > 0;
    }

    /** Bytes of an integer; 0 for other types. */
    public int integerBytes() {
        return switch (type) {
            case ColumnType.MYSQL_TYPE_TINY -> 1;
            case ColumnType.MYSQL_TYPE_SHORT -> 2;
            case ColumnType.MYSQL_TYPE_INT24 -> 3;
            case ColumnType.MYSQL_TYPE_LONG -> 4;
            case ColumnType.MYSQL_TYPE_LONGLONG -> 8;
            default -> 0;
        };
    }

    /** CHAR, VARCHAR, TEXT, and their binary forms. */
    boolean isString() {
        return isFixed() || isVaried() || isBlob();
    }

    /** CHAR or BINARY. */
    public boolean isFixed() {
        return type == ColumnType.MYSQL_TYPE_STRING;
    }

    /** VARCHAR or VARBINARY. */
    boolean isVaried() {
        return type == ColumnType.MYSQL_TYPE_VARCHAR;
    }

    /** TEXT or BLOB. */
    boolean isBlob() {
        return type == ColumnType.MYSQL_TYPE_BLOB;
    }

    boolean isMember() {
        return type == ColumnType.MYSQL_TYPE_ENUM || type == ColumnType.MYSQL_TYPE_SET;
    }

    boolean isReal() {
        return type == ColumnType.MYSQL_TYPE_FLOAT || type == ColumnType.MYSQL_TYPE_DOUBLE;
    }

    boolean isDecimal() {
        return type == ColumnType.MYSQL_TYPE_NEWDECIMAL;
    }

    boolean isNumeric() {
        return isInteger() || isReal() || isDecimal();
    }

    /** Whether a table can have such a column; it is not checked when a table map is read. */
    boolean isSound() {
        return switch (type) {
            case ColumnType.MYSQL_TYPE_NEWDECIMAL ->
                precision() >= 1 && precision() <= 65 && scale() <= 30 && scale() <= precision();
            case ColumnType.MYSQL_TYPE_TIME2, ColumnType.MYSQL_TYPE_DATETIME2, ColumnType.MYSQL_TYPE_TIMESTAMP2 ->
                metadata <= 6;
            case ColumnType.MYSQL_TYPE_BIT -> bits() >= 1 && bits() <= 64;
            case ColumnType.MYSQL_TYPE_ENUM, ColumnType.MYSQL_TYPE_SET -> width >= 1 && width <= 8;
            default -> width != TableShape.UNKNOWN_WIDTH;
        };
    }

    public int precision() {
        return metadata & 0xff;
    }

    public int scale() {
        return metadata >> 8;
    }

    public int bits() {
        return (metadata >> 8) * 8 + (metadata & 0xff);
    }

    /** Maximum bytes of a string. */
    public long mostBytes() {
        return isBlob() ? (1L << 8 * prefix()) - 1 : metadata;
    }

    /** Maximum characters of a string whose character set is known. */
    public long mostCharacters() {
        return isBlob() ? Long.MAX_VALUE : metadata / charset.most();
    }
}
