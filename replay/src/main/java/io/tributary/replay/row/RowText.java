package io.tributary.replay.row;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.sql.SqlNames;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * SQL expressions for the values and the hash of a row, which are equal on servers of different versions, settings and character sets for equal values.
 * They are made for sessions that the verification of a seed prepared (TableReader.PREPARE).
 *
 * <p>The text of a row is injective: numbers and times have no separator in them, other values are in hexadecimal, and a mark for each column that allows
 * NULL is in front. A value of a long type is replaced by its SHA-256, so that the text stays far below max_allowed_packet. The hash is the first 64 bits
 * of the SHA-256 of the text. CRC32 would not do: it is linear, so that two rows of a chunk that exchange their values leave the XOR of its CRC32 as it
 * was, whatever is put before or after the text.
 */
public final class RowText {
    /** Longer character and binary types are hashed. */
    private static final int LONGEST_IN_TEXT = 255;

    /** Character sets of which each character is converted to utf8mb4 and no two to the same. Values of others are compared as bytes. */
    private static final Set<String> UNICODE =
            Set.of("utf8mb4", "utf8mb3", "utf8", "ucs2", "utf16", "utf16le", "utf32", "latin1", "");

    private RowText() {}

    /** The 64-bit hash of a row, as BIGINT UNSIGNED. */
    public static String hash(List<Column> columns) {
        return "CAST(CONV(LEFT(SHA2(" + text(columns) + ", 256), 16), 16, 10) AS UNSIGNED)";
    }

    private static String text(List<Column> columns) {
        String marks = columns.stream()
                .filter(Column::nullable)
                .map(column -> "ISNULL(" + SqlNames.name(column.name()) + ")")
                .collect(Collectors.joining(", "));
        String values = columns.stream().map(RowText::inText).collect(Collectors.joining(", "));
        return "CONCAT_WS('#', " + (marks.isEmpty() ? "''" : "CONCAT(" + marks + ")") + ", " + values + ")";
    }

    /** The value as it is in the text of a row. */
    public static String inText(Column column) {
        SqlType type = column.type();
        boolean isShort = type.length() > 0 && type.length() <= LONGEST_IN_TEXT;
        if (!isHex(type)) {
            return value(column);
        }
        return isShort ? value(column) : "SHA2(" + bytes(column) + ", 256)";
    }

    /** The value as text: digits, a time, or its bytes in hexadecimal. */
    public static String value(Column column) {
        SqlType type = column.type();
        String name = SqlNames.name(column.name());
        if (isHex(type)) {
            return "HEX(" + bytes(column) + ")";
        }
        return switch (type.name()) {
            // the shortest digits of a DOUBLE that give it back; those of FLOAT itself are only six
            case "float", "double" -> name + "*1e0";
            case "enum", "set", "bit" -> "CAST(" + name + " AS UNSIGNED)";
            default -> type.zerofill() ? "(" + name + "+0)" : name;
        };
    }

    /** Whether {@link #value} is in hexadecimal. */
    public static boolean isHex(SqlType type) {
        return !type.hasValues()
                && (type.isCharacter()
                        || type.isGeometry()
                        || type.name().endsWith("binary")
                        || type.name().endsWith("blob")
                        || type.name().equals("json")
                        || type.name().equals("vector"));
    }

    private static String bytes(Column column) {
        String name = SqlNames.name(column.name());
        return isConverted(column.type()) ? "CONVERT(" + name + " USING utf8mb4)" : name;
    }

    /** Whether characters are compared, in utf8mb4, and not bytes. */
    public static boolean isConverted(SqlType type) {
        return type.name().equals("json") || type.isCharacter() && UNICODE.contains(type.charset());
    }

    /**
     * The literal for a value.
     *
     * @param value as {@link #value} returned it, null for NULL
     */
    public static String literal(Column column, String value) {
        SqlType type = column.type();
        if (value == null) {
            return "NULL";
        }
        if (isHex(type)) {
            String introducer = isConverted(type) ? "_utf8mb4 " : type.isCharacter() ? "_" + type.charset() + " " : "";
            return introducer + "X'" + value + "'";
        }
        if (type.name().equals("float") || type.name().equals("double")) {
            return value.contains("e") ? value : value + "e0";
        }
        return type.isInteger()
                        || Set.of("decimal", "enum", "set", "bit", "year").contains(type.name())
                ? value
                : SqlNames.literal(value);
    }

    /** A value for people, at most {@code most} characters. */
    public static String shown(Column column, int most) {
        SqlType type = column.type();
        String name = SqlNames.name(column.name());
        if (isHex(type)) {
            return type.isCharacter() || type.name().equals("json")
                    ? "LEFT(CONVERT(" + name + " USING utf8mb4), " + most + ")"
                    : "CONCAT('0x', LEFT(HEX(" + name + "), " + most + "))";
        }
        return type.hasValues() ? "CONVERT(" + name + " USING utf8mb4)" : value(column);
    }
}
