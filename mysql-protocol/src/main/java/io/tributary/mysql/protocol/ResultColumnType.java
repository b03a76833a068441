package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The type part of a column definition (manual page "Column Definition").
 *
 * @param collation MySQL's number of the collation; 63 for values that are not text
 * @param length longest value in bytes
 * @param type MySQL's {@code enum_field_types}
 * @param flags NOT_NULL and others
 * @param decimals digits after the decimal point; 31 for text
 */
public record ResultColumnType(int collation, long length, int type, int flags, int decimals) {
    public static final int LONGLONG = 8;
    public static final int VAR_STRING = 253;

    /** VAR_STRING in utf8mb4. */
    public static final ResultColumnType TEXT = new ResultColumnType(45, 0xffff, VAR_STRING, 0, 31);

    /** A signed LONGLONG. */
    public static final ResultColumnType INTEGER = new ResultColumnType(63, 20, LONGLONG, 0, 0);

    private static final int FIXED_FIELDS = 12;
    private static final int UNSIGNED = 32;

    /** Whether the values are whole numbers of any width. */
    public boolean isInteger() {
        return switch (type) {
            case 1, 2, 3, LONGLONG, 9, 13 -> true;
            default -> false;
        };
    }

    /** Whether values may be 2^63 or more. */
    public boolean isUnsigned() {
        return (flags & UNSIGNED) != 0;
    }

    /** Reads from the length of the fixed fields on. */
    public static ResultColumnType read(ByteBuf in) {
        LengthEncoding.readInteger(in);
        LengthEncoding.need(in, FIXED_FIELDS - 2);
        int collation = in.readUnsignedShortLE();
        long length = in.readUnsignedIntLE();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedShortLE();
        return new ResultColumnType(collation, length, type, flags, in.readUnsignedByte());
    }

    /** Writes from the length of the fixed fields on. */
    public void write(ByteBuf out) {
        out.writeByte(FIXED_FIELDS);
        out.writeShortLE(collation);
        out.writeIntLE((int) length);
        out.writeByte(type);
        out.writeShortLE(flags);
        out.writeByte(decimals);
        out.writeZero(2);
    }
}
