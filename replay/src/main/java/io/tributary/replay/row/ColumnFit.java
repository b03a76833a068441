package io.tributary.replay.row;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.SqlType;
import java.util.Optional;

/**
 * Whether a type can hold every value of a column of rows events: it has the same kind of values, and they are neither cut nor rounded. Texts are
 * not compared: the numbers of ENUM and SET mean the same only if the lists of values do.
 */
final class ColumnFit {
    /** The character set of bytes. */
    static final String BINARY = "binary";

    private static final String JSON = "json";
    private static final int LONGEST_CHARACTER = 4;

    private final SqlType target;
    private final TableShape event;
    private final int index;

    private ColumnFit(SqlType target, TableShape event, int index) {
        this.target = target;
        this.event = event;
        this.index = index;
    }

    static boolean fits(SqlType target, TableShape event, int index) {
        return new ColumnFit(target, event, index).fits();
    }

    /** The character set of a column with characters or bytes; empty if the table map does not contain it or it is not known. */
    static Optional<String> charset(TableShape event, int index) {
        return Collations.of(event.collation(index)).map(Collation::charset);
    }

    /** The character set of a type; empty if unknown. */
    static Optional<String> charset(SqlType type) {
        return isBytes(type)
                ? Optional.of(BINARY)
                : Collations.named(type.collation()).map(Collation::charset);
    }

    private static boolean isBytes(SqlType type) {
        return type.name().endsWith(BINARY) || type.name().endsWith("blob");
    }

    private boolean fits() {
        String name = target.name();
        return switch (event.type(index)) {
            case ColumnType.MYSQL_TYPE_TINY,
                    ColumnType.MYSQL_TYPE_SHORT,
                    ColumnType.MYSQL_TYPE_INT24,
                    ColumnType.MYSQL_TYPE_LONG,
                    ColumnType.MYSQL_TYPE_LONGLONG -> target.isInteger() && isRangeInside();
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> name.equals("decimal") && holdsDigits();
            case ColumnType.MYSQL_TYPE_FLOAT -> name.equals("float") || name.equals("double");
            case ColumnType.MYSQL_TYPE_DOUBLE -> name.equals("double");
            case ColumnType.MYSQL_TYPE_YEAR -> name.equals("year");
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE -> name.equals("date");
            case ColumnType.MYSQL_TYPE_TIME2 -> name.equals("time") && holdsFraction();
            case ColumnType.MYSQL_TYPE_DATETIME2 -> name.equals("datetime") && holdsFraction();
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> name.equals("timestamp") && holdsFraction();
            case ColumnType.MYSQL_TYPE_BIT -> name.equals("bit") && target.length() >= bits(event.metadata(index));
            case ColumnType.MYSQL_TYPE_ENUM -> name.equals("enum") && holdsValues();
            case ColumnType.MYSQL_TYPE_SET -> name.equals("set") && holdsValues();
            case ColumnType.MYSQL_TYPE_STRING,
                    ColumnType.MYSQL_TYPE_VARCHAR,
                    ColumnType.MYSQL_TYPE_VAR_STRING,
                    ColumnType.MYSQL_TYPE_BLOB -> holdsStrings();
            case ColumnType.MYSQL_TYPE_JSON ->
                name.equals(JSON) || name.equals("longtext") && charset(target).equals(Optional.of("utf8mb4"));
            case ColumnType.MYSQL_TYPE_GEOMETRY -> target.isGeometry();
            case ColumnType.MYSQL_TYPE_VECTOR -> name.equals("vector");
            default -> false;
        };
    }

    private boolean isRangeInside() {
        int width = event.width(index);
        int own = bytes(target.name());
        boolean isUnsigned = event.saysSigns() ? event.isUnsigned(index) : target.unsigned();
        return isUnsigned == target.unsigned() ? width <= own : isUnsigned && width < own;
    }

    private static int bytes(String integer) {
        return switch (integer) {
            case "tinyint" -> 1;
            case "smallint" -> 2;
            case "mediumint" -> 3;
            case "int" -> 4;
            default -> 8;
        };
    }

    private boolean holdsDigits() {
        int precision = event.metadata(index) & 0xff;
        int scale = event.metadata(index) >> 8;
        return scale <= target.decimals() && precision - scale <= target.length() - target.decimals();
    }

    private boolean holdsFraction() {
        return event.metadata(index) <= target.decimals();
    }

    private boolean holdsValues() {
        return event.values(index).size() <= target.values().size();
    }

    private static int bits(int metadata) {
        return (metadata & 0xff) + Byte.SIZE * (metadata >> 8);
    }

    private boolean holdsStrings() {
        boolean isBytes = isBytes(target);
        boolean hasText = target.isCharacter() && !target.hasValues();
        Optional<String> charset = charset(event, index);
        // 5.7 does not send it
        boolean isKnown = event.collation(index) != 0;
        if (isKnown && charset.equals(Optional.of(BINARY)) != isBytes) {
            return false;
        }
        return target.name().equals(JSON) || (isBytes || hasText) && holdsLength(charset);
    }

    /** In the same character set bytes are compared, in another one the characters of CHAR and VARCHAR. */
    private boolean holdsLength(Optional<String> charset) {
        boolean isOpen = event.type(index) == ColumnType.MYSQL_TYPE_BLOB;
        long bytes = isOpen ? (1L << Byte.SIZE * -event.width(index)) - 1 : event.metadata(index);
        if (charset.isEmpty() || charset.equals(charset(target))) {
            return bytes <= mostBytes();
        }
        return isOpen
                ? target.isText()
                : target.isText() || bytes / characterBytes(event.collation(index)) <= target.length();
    }

    private long mostBytes() {
        return switch (target.name()) {
            case "tinytext", "tinyblob" -> 0xff;
            case "text", "blob" -> 0xffff;
            case "mediumtext", "mediumblob" -> 0xff_ffff;
            case "longtext", "longblob" -> 0xffff_ffffL;
            default -> (long) target.length() * (isBytes(target) ? 1 : characterBytes(target));
        };
    }

    private static int characterBytes(SqlType type) {
        return Collations.named(type.collation()).map(Collation::maxLength).orElse(LONGEST_CHARACTER);
    }

    private static int characterBytes(int collation) {
        return Collations.of(collation).map(Collation::maxLength).orElse(1);
    }

    /** A column of events for messages, such as {@code int unsigned} or {@code string of at most 80 bytes in latin1}. */
    static String text(TableShape event, int index) {
        int metadata = event.metadata(index);
        String sign = event.isUnsigned(index) ? " unsigned" : "";
        return switch (event.type(index)) {
            case ColumnType.MYSQL_TYPE_TINY -> "tinyint" + sign;
            case ColumnType.MYSQL_TYPE_SHORT -> "smallint" + sign;
            case ColumnType.MYSQL_TYPE_INT24 -> "mediumint" + sign;
            case ColumnType.MYSQL_TYPE_LONG -> "int" + sign;
            case ColumnType.MYSQL_TYPE_LONGLONG -> "bigint" + sign;
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> "decimal(" + (metadata & 0xff) + "," + (metadata >> 8) + ")";
            case ColumnType.MYSQL_TYPE_FLOAT -> "float";
            case ColumnType.MYSQL_TYPE_DOUBLE -> "double";
            case ColumnType.MYSQL_TYPE_YEAR -> "year";
            case ColumnType.MYSQL_TYPE_DATE, ColumnType.MYSQL_TYPE_NEWDATE -> "date";
            case ColumnType.MYSQL_TYPE_TIME2 -> "time(" + metadata + ")";
            case ColumnType.MYSQL_TYPE_DATETIME2 -> "datetime(" + metadata + ")";
            case ColumnType.MYSQL_TYPE_TIMESTAMP2 -> "timestamp(" + metadata + ")";
            case ColumnType.MYSQL_TYPE_BIT -> "bit(" + bits(metadata) + ")";
            case ColumnType.MYSQL_TYPE_ENUM -> "enum of " + event.values(index).size() + " values";
            case ColumnType.MYSQL_TYPE_SET -> "set of " + event.values(index).size() + " values";
            case ColumnType.MYSQL_TYPE_STRING, ColumnType.MYSQL_TYPE_VARCHAR, ColumnType.MYSQL_TYPE_VAR_STRING ->
                "string of at most " + metadata + " bytes" + in(event, index);
            case ColumnType.MYSQL_TYPE_BLOB -> "blob or text with " + metadata + " bytes of length" + in(event, index);
            case ColumnType.MYSQL_TYPE_JSON -> JSON;
            case ColumnType.MYSQL_TYPE_GEOMETRY -> "geometry";
            case ColumnType.MYSQL_TYPE_VECTOR -> "vector";
            default -> "type " + event.type(index) + ", of which no literal can be written";
        };
    }

    private static String in(TableShape event, int index) {
        int collation = event.collation(index);
        return collation == 0 ? "" : " in " + charset(event, index).orElse("collation " + collation);
    }
}
