package io.tributary.schema.definition;

import java.util.List;
import java.util.Set;

/**
 * The type of a column.
 *
 * @param name as DATA_TYPE of information_schema.COLUMNS has it: {@code int}, {@code varchar}, {@code mediumtext}, {@code geomcollection}
 * @param length characters of CHAR and VARCHAR; bytes of BINARY and VARBINARY; digits of DECIMAL, and of FLOAT and DOUBLE where they
 *     were given; bits of BIT; dimensions of VECTOR; width of an integer with ZEROFILL and 1 of TINYINT(1); else 0
 * @param decimals digits behind the point, or of a second's fraction
 * @param unsigned whether a number has no sign
 * @param zerofill whether it is shown with zeros in front
 * @param collation of CHAR, VARCHAR, the TEXT types, ENUM and SET, such as {@code latin1_bin}; "" of others, and where it is not known
 * @param values of ENUM and SET, in their order
 * @param srid of geometry types: the only reference system that values may have; -1 where any
 */
public record SqlType(
        String name,
        int length,
        int decimals,
        boolean unsigned,
        boolean zerofill,
        String collation,
        List<String> values,
        long srid) {
    /** No {@link #srid}. */
    public static final long ANY_SRID = -1;

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

    /** A type that is all said by its name, such as {@code date}. */
    public static SqlType of(String name) {
        return of(name, 0, 0);
    }

    /** A type without sign, collation and values. */
    public static SqlType of(String name, int length, int decimals) {
        return new SqlType(name, length, decimals, false, false, "", List.of(), ANY_SRID);
    }

    public SqlType withLength(int other) {
        return new SqlType(name, other, decimals, unsigned, zerofill, collation, values, srid);
    }

    public SqlType withSign(boolean isUnsigned, boolean isZerofill) {
        return new SqlType(name, length, decimals, isUnsigned, isZerofill, collation, values, srid);
    }

    public SqlType withCollation(String other) {
        return new SqlType(name, length, decimals, unsigned, zerofill, other, values, srid);
    }

    public SqlType withValues(List<String> other) {
        return new SqlType(name, length, decimals, unsigned, zerofill, collation, other, srid);
    }

    public SqlType withSrid(long other) {
        return new SqlType(name, length, decimals, unsigned, zerofill, collation, values, other);
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

    /** The character set, such as {@code latin1}; "" where there is no collation. */
    public String charset() {
        int end = collation.indexOf('_');
        return end < 0 ? collation : collation.substring(0, end);
    }
}
