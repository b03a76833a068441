package io.tributary.schema.read;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.SqlType;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A type as written, before the defaults of its table are applied.
 *
 * @param name as in {@link SqlType}
 * @param length -1 if none was written
 * @param decimals -1 if none were written
 * @param unsigned UNSIGNED was written
 * @param zerofill ZEROFILL was written
 * @param charset "" if none was written
 * @param collation "" if none was written
 * @param binary whether the attribute BINARY was written: the collation that ends in {@code _bin}
 * @param values of ENUM and SET
 * @param srid {@link SqlType#ANY_SRID} if none was written
 */
record RawType(
        String name,
        int length,
        int decimals,
        boolean unsigned,
        boolean zerofill,
        String charset,
        String collation,
        boolean binary,
        List<String> values,
        long srid) {
    private static final Map<String, Integer> ZEROFILL_WIDTHS =
            Map.of("tinyint", 3, "smallint", 5, "mediumint", 8, "int", 10, "bigint", 20);
    private static final Map<String, String> BINARY_TYPES = Map.of(
            "char", "binary",
            "varchar", "varbinary",
            "tinytext", "tinyblob",
            "text", "blob",
            "mediumtext", "mediumblob",
            "longtext", "longblob");
    private static final int LONGEST_VARCHAR = 65_535;
    private static final int DECIMAL_DIGITS = 10;
    private static final int FLOAT_BITS = 24;
    private static final int VECTOR_DIMENSIONS = 2048;
    private static final int LONGEST_CHARACTER = 4;

    static RawType of(String name) {
        return new RawType(name, -1, -1, false, false, "", "", false, List.of(), SqlType.ANY_SRID);
    }

    RawType withName(String other) {
        return new RawType(other, length, decimals, unsigned, zerofill, charset, collation, binary, values, srid);
    }

    RawType withLength(int other) {
        return new RawType(name, other, decimals, unsigned, zerofill, charset, collation, binary, values, srid);
    }

    RawType withDecimals(int other) {
        return new RawType(name, length, other, unsigned, zerofill, charset, collation, binary, values, srid);
    }

    RawType withUnsigned() {
        return new RawType(name, length, decimals, true, zerofill, charset, collation, binary, values, srid);
    }

    RawType withZerofill() {
        return new RawType(name, length, decimals, true, true, charset, collation, binary, values, srid);
    }

    RawType withCharset(String other) {
        String known = Collations.ofCharset(other).map(Collation::charset).orElse(other.toLowerCase(Locale.ROOT));
        return new RawType(name, length, decimals, unsigned, zerofill, known, collation, binary, values, srid);
    }

    RawType withCollation(String other) {
        String known = Collations.named(other).map(Collation::name).orElse(other.toLowerCase(Locale.ROOT));
        return new RawType(name, length, decimals, unsigned, zerofill, charset, known, binary, values, srid);
    }

    RawType withBinary() {
        return new RawType(name, length, decimals, unsigned, zerofill, charset, collation, true, values, srid);
    }

    RawType withValues(List<String> other) {
        return new RawType(name, length, decimals, unsigned, zerofill, charset, collation, binary, other, srid);
    }

    RawType withSrid(long other) {
        return new RawType(name, length, decimals, unsigned, zerofill, charset, collation, binary, values, other);
    }

    /** The type in a statement that converts a table to a collation: text types get the collation. */
    RawType convertedTo(String other) {
        if (collation.equals("binary")) {
            return this;
        }
        boolean bare = binary && charset.isEmpty();
        String kept = bare ? "" : other; // the attribute BINARY selects a collation of the new character set
        return new RawType(name, length, decimals, unsigned, zerofill, "", kept, bare, values, srid);
    }

    /** The type in a table with this default collation. */
    SqlType resolve(String tableCollation, ReadSession session) {
        SqlType plain = SqlType.of(name, Math.max(length, 0), Math.max(decimals, 0));
        return switch (name) {
            case "tinyint", "smallint", "mediumint", "int", "bigint" -> integer();
            case "decimal" ->
                plain.withLength(length <= 0 ? DECIMAL_DIGITS : length).withSign(unsigned, zerofill);
            case "float", "double" -> floating();
            case "bit" -> plain.withLength(length < 0 ? 1 : length);
            case "time", "datetime", "timestamp" -> SqlType.of(name, 0, Math.max(length, 0));
            case "binary" -> plain.withLength(length < 0 ? 1 : length);
            case "varbinary" -> length > LONGEST_VARCHAR ? SqlType.of(TextTypes.ofBytes(length, "blob")) : plain;
            case "vector" -> plain.withLength(length < 0 ? VECTOR_DIMENSIONS : length);
            case "blob" -> length <= 0 ? blobOf(length) : SqlType.of(TextTypes.ofBytes(length, "blob"));
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set" ->
                character(resolvedCollation(tableCollation, session));
            default -> plain.isGeometry() ? SqlType.of(name).withSrid(srid) : SqlType.of(name);
        };
    }

    private static SqlType blobOf(int length) {
        return SqlType.of(length == 0 ? "tinyblob" : "blob");
    }

    private SqlType integer() {
        int width = zerofill && length <= 0 ? ZEROFILL_WIDTHS.get(name) : Math.max(length, 0);
        boolean ofBool = name.equals("tinyint") && width == 1 && !unsigned;
        return SqlType.of(name, zerofill || ofBool ? width : 0, 0).withSign(unsigned, zerofill);
    }

    /** FLOAT(p) sets the minimum number of bits; FLOAT(M,D) sets the number of displayed digits. */
    private SqlType floating() {
        if (decimals >= 0) {
            return SqlType.of(name, length, decimals).withSign(unsigned, zerofill);
        }
        String wide = name.equals("float") && length > FLOAT_BITS ? "double" : name;
        return SqlType.of(wide).withSign(unsigned, zerofill);
    }

    private String resolvedCollation(String tableCollation, ReadSession session) {
        if (!collation.isEmpty() && (!binary || !charset.isEmpty())) {
            return collation;
        }
        String base = !collation.isEmpty()
                ? collation
                : charset.isEmpty() ? tableCollation : defaultCollation(charset, session);
        if (!binary || base.isEmpty() || base.equals("binary")) {
            return base;
        }
        return SqlType.of("char").withCollation(base).charset() + "_bin";
    }

    /** The default collation of a character set; "" if unknown. */
    static String defaultCollation(String charset, ReadSession session) {
        Collation known = Collations.ofCharset(charset).orElse(null);
        if (known == null) {
            return "";
        }
        return known.charset().equals("utf8mb4") ? session.utf8mb4Collation() : known.name();
    }

    private SqlType character(String resolved) {
        boolean hasValues = name.equals("enum") || name.equals("set");
        if (hasValues) {
            return SqlType.of(name)
                    .withValues(ValueTexts.stored(values, resolved))
                    .withCollation(resolved);
        }
        int longest = Collations.named(resolved).map(Collation::maxLength).orElse(LONGEST_CHARACTER);
        if (resolved.equals("binary")) {
            return new RawType(BINARY_TYPES.get(name), length, decimals, false, false, "", "", false, List.of(), srid)
                    .resolve("", null);
        }
        long bytes = (long) length * longest;
        if (name.equals("varchar") && bytes > LONGEST_VARCHAR) {
            return SqlType.of(TextTypes.ofBytes(bytes, "text")).withCollation(resolved);
        }
        if (name.equals("text") && length >= 0) {
            return SqlType.of(TextTypes.ofBytes(bytes, "text")).withCollation(resolved);
        }
        int characters = name.equals("char") && length < 0 ? 1 : Math.max(length, 0);
        return SqlType.of(name, name.endsWith("char") ? characters : 0, 0).withCollation(resolved);
    }
}
