package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import java.nio.ByteBuffer;

/**
 * The metadata that MySQL 8.0 adds to a table map: fields of type u8, length (length-encoded), value (Table_map_event::Optional_metadata_field_type
 * in libbinlogevents/include/rows_event.h). With binlog_row_metadata=MINIMAL it contains only signedness, character sets and geometry types.
 * Iterate with {@code for (f = begin; f < end; f = next(view, f))}.
 */
public final class OptionalMetadata {
    /** A bit for each numeric column, the highest first: 1 = unsigned. */
    public static final int SIGNEDNESS = 1;
    /** Collation of most character columns; then pairs of column (among character columns) and collation. */
    public static final int DEFAULT_CHARSET = 2;
    /** Collation of each character column. */
    public static final int COLUMN_CHARSET = 3;
    /** Name of each column, with its length. */
    public static final int COLUMN_NAME = 4;
    /** For each SET column the number of its values, and the values with their lengths. */
    public static final int SET_STR_VALUE = 5;
    /** For each ENUM column the number of its values, and the values with their lengths. */
    public static final int ENUM_STR_VALUE = 6;
    /** Type of each geometry column. */
    public static final int GEOMETRY_TYPE = 7;
    /** The columns of the primary key, by index. */
    public static final int SIMPLE_PRIMARY_KEY = 8;
    /** The columns of the primary key, by index, each with the length of its prefix or 0. */
    public static final int PRIMARY_KEY_WITH_PREFIX = 9;
    /** As {@link #DEFAULT_CHARSET}, for ENUM and SET columns. */
    public static final int ENUM_AND_SET_DEFAULT_CHARSET = 10;
    /** As {@link #COLUMN_CHARSET}, for ENUM and SET columns. */
    public static final int ENUM_AND_SET_COLUMN_CHARSET = 11;
    /** A bit for each column, the highest first: 1 = visible. */
    public static final int COLUMN_VISIBILITY = 12;
    /** Dimensions of each VECTOR column (9.0). */
    public static final int VECTOR_DIMENSIONALITY = 13;

    private OptionalMetadata() {}

    static void check(ByteBuffer view, int at, int begin, int end) {
        int field = begin;
        while (field < end) {
            int lengthLength = Malformed.packed(view, at, end, field + 1, "length of optional metadata");
            long length = PackedInteger.get(view, field + 1);
            Malformed.room(view, at, end, field + 1 + lengthLength, length, "optional metadata");
            field += 1 + lengthLength + (int) length;
        }
    }

    /** The type of a field: one of the constants here, or of a later version. */
    public static int type(ByteBuffer view, int field) {
        return LittleEndian.getU8(view, field);
    }

    /** Whether the bytes of rows depend on it; they do not depend on keys and visibility. */
    static boolean isAboutRows(int type) {
        return type != SIMPLE_PRIMARY_KEY && type != PRIMARY_KEY_WITH_PREFIX && type != COLUMN_VISIBILITY;
    }

    /** Offset of a field's value. */
    public static int valueAt(ByteBuffer view, int field) {
        return field + 1 + PackedInteger.lengthByFirst(LittleEndian.getU8(view, field + 1));
    }

    /** Bytes of a field's value. */
    static int valueLength(ByteBuffer view, int field) {
        return (int) PackedInteger.get(view, field + 1);
    }

    /** Offset at which the next field begins. */
    public static int next(ByteBuffer view, int field) {
        return valueAt(view, field) + valueLength(view, field);
    }

    /** Offset at which the first field of a type begins; -1 if there is none. */
    public static int find(ByteBuffer view, int begin, int end, int type) {
        for (int field = begin; field < end; field = next(view, field)) {
            if (type(view, field) == type) {
                return field;
            }
        }
        return -1;
    }
}
