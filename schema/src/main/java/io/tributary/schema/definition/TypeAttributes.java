package io.tributary.schema.definition;

/**
 * The attributes of a column's type.
 *
 * @param unsigned whether a number has no sign
 * @param zerofill whether it is displayed with leading zeros
 * @param collation of CHAR, VARCHAR, the TEXT types, ENUM and SET, such as {@code latin1_bin}; "" for others, and if unknown
 * @param srid of geometry types: the only spatial reference system that values may have; -1 = any
 */
public record TypeAttributes(boolean unsigned, boolean zerofill, String collation, long srid) {
    /** A type without attributes. */
    static final TypeAttributes NONE = new TypeAttributes(false, false, "", SqlType.ANY_SRID);
}
