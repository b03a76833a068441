package io.tributary.schema.definition;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import java.util.List;
import java.util.Set;

/**
 * The type of a column.
 *
 * @param name as DATA_TYPE in information_schema.COLUMNS: {@code int}, {@code varchar}, {@code mediumtext}, {@code geomcollection}
 * @param length characters of CHAR and VARCHAR; bytes of BINARY and VARBINARY; digits of DECIMAL, and of FLOAT and DOUBLE if they
 *     were given; bits of BIT; dimensions of VECTOR; width of an integer with ZEROFILL and 1 of TINYINT(1); otherwise 0
 * @param decimals digits after the decimal point, or of the fraction of a second
 * @param values of ENUM and SET, in order
 * @param attributes sign, collation and spatial reference system
 */
public record SqlType(String name, int length, int decimals, List<String> values, TypeAttributes attributes) {
    /** No {@link #srid}. */
    public static final long ANY_SRID = -1;

    /** Maximum bytes of a key in InnoDB. */
    static final int LONGEST_KEY = 3072;

    private static final int LONGEST_TINY = 255;
    private static final int POINT = 25;
    private static final int LONGEST_SHORT = 65_535;
    private static final int LONGEST_CHARACTER = 4;

    private static final Set<String> INTEGERS = Set.of("tinyint", "smallint", "mediumint", "int", "bigint");
    private static final Set<String> TEXTS = Set.of("tinytext", "text", "mediumtext", "longtext");
    private static final Set<String> CHARACTERS =
            Set.of("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set");
    private static final Set<String> GEOMETRIES = Set.of(
            "geometry",
            "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geomcollection");

    public SqlType {
        values = List.copyOf(values);
    }

    /** A type that its name defines completely, such as {@code date}. */
    public static SqlType of(String name) {
        return of(name, 0, 0);
    }

    /** A type without sign, collation and values. */
    public static SqlType of(String name, int length, int decimals) {
        return new SqlType(name, length, decimals, List.of(), TypeAttributes.NONE);
    }

    public SqlType withLength(int other) {
        return new SqlType(name, other, decimals, values, attributes);
    }

    public SqlType withSign(boolean isUnsigned, boolean isZerofill) {
        return with(new TypeAttributes(isUnsigned, isZerofill, collation(), srid()));
    }

    public SqlType withCollation(String other) {
        return with(new TypeAttributes(unsigned(), zerofill(), other, srid()));
    }

    public SqlType withValues(List<String> other) {
        return new SqlType(name, length, decimals, other, attributes);
    }

    public SqlType withSrid(long other) {
        return with(new TypeAttributes(unsigned(), zerofill(), collation(), other));
    }

    private SqlType with(TypeAttributes others) {
        return new SqlType(name, length, decimals, values, others);
    }

    /** Whether a number has no sign. */
    public boolean unsigned() {
        return attributes.unsigned();
    }

    /** Whether a number is displayed with leading zeros. */
    public boolean zerofill() {
        return attributes.zerofill();
    }

    /** The collation of a type with characters; "" for others, and if unknown. */
    public String collation() {
        return attributes.collation();
    }

    /** The only spatial reference system of the values; {@link #ANY_SRID} = any. */
    public long srid() {
        return attributes.srid();
    }

    /**
     * The length of a key part of this type, in bytes.
     *
     * @param prefix of the part, in characters; 0 for the whole column
     */
    int bytesInKey(int prefix) {
        return charactersInKey(prefix) * charactersLength();
    }

    /**
     * The number of characters in a key part of this type; for binary types bytes, for a TEXT or BLOB without a prefix its maximum,
     * for other types 0.
     */
    public int charactersInKey(int prefix) {
        if (prefix > 0) {
            return prefix;
        }
        return switch (name) {
            case "char", "varchar", "binary", "varbinary" -> length;
            case "point" -> POINT;
            case "tinytext", "tinyblob" -> LONGEST_TINY;
            default -> isOpen() ? LONGEST_SHORT : 0;
        };
    }

    /** Whether the column does not define the length of its values: TEXT, BLOB and geometry types except point. */
    public boolean isOpen() {
        return isText() || name.endsWith("blob") || (isGeometry() && !name.equals("point"));
    }

    /** Maximum number of characters of a key part in InnoDB. */
    public int mostInKey() {
        return LONGEST_KEY / charactersLength();
    }

    private int charactersLength() {
        boolean ofBytes = !isCharacter() || hasValues();
        return ofBytes
                ? 1
                : Collations.named(collation()).map(Collation::maxLength).orElse(LONGEST_CHARACTER);
    }

    public boolean isInteger() {
        return INTEGERS.contains(name);
    }

    /** One of the four TEXT types. */
    public boolean isText() {
        return TEXTS.contains(name);
    }

    /** Whether it has a character set other than binary. */
    public boolean isCharacter() {
        return CHARACTERS.contains(name);
    }

    public boolean isGeometry() {
        return GEOMETRIES.contains(name);
    }

    /** ENUM or SET. */
    public boolean hasValues() {
        return name.equals("enum") || name.equals("set");
    }

    /** The character set, such as {@code latin1}; "" if there is no collation. */
    public String charset() {
        String collation = collation();
        int end = collation.indexOf('_');
        return end < 0 ? collation : collation.substring(0, end);
    }
}
