package io.tributary.mysql.event.row;

import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.OptionalMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds which columns the character sets of a table map are for: MariaDB counts geometries among the columns with characters, and gives them the
 * collation binary; MySQL does not.
 *
 * @param types of the columns, see {@link ColumnType}
 */
record CharsetForm(int... types) {
    private static final int BINARY = 63;

    /** Whether geometries are counted in the optional metadata from {@code optional} to {@code end}. */
    boolean countsGeometries(ByteBuffer view, int optional, int end) {
        boolean hasGeometry = false;
        int characters = 0;
        for (int type : types) {
            hasGeometry |= type == ColumnType.MYSQL_TYPE_GEOMETRY;
            characters += ColumnType.isCharacter(type) ? 1 : 0;
        }
        if (!hasGeometry || OptionalMetadata.find(view, optional, end, OptionalMetadata.COLUMN_VISIBILITY) >= 0) {
            return false; // MariaDB does not write visibility
        }
        int each = OptionalMetadata.find(view, optional, end, OptionalMetadata.COLUMN_CHARSET);
        if (each >= 0) {
            return numbers(view, each, end).size() > characters;
        }
        int usual = OptionalMetadata.find(view, optional, end, OptionalMetadata.DEFAULT_CHARSET);
        boolean isNamed = OptionalMetadata.find(view, optional, end, OptionalMetadata.COLUMN_NAME) >= 0;
        return usual >= 0 && countsGeometries(numbers(view, usual, end), characters, isNamed);
    }

    /** @param numbers the usual collation, then pairs of a column among those that are counted, and its collation */
    private boolean countsGeometries(List<Long> numbers, int characters, boolean isNamed) {
        int counted = 0;
        boolean areBinary = isNamed;
        for (int type : types) {
            if (type == ColumnType.MYSQL_TYPE_GEOMETRY) {
                areBinary &= collation(numbers, counted) == BINARY;
            }
            counted += type == ColumnType.MYSQL_TYPE_GEOMETRY || ColumnType.isCharacter(type) ? 1 : 0;
        }
        boolean isBeyond = false;
        for (int i = 1; i < numbers.size(); i += 2) {
            isBeyond |= numbers.get(i) >= characters;
        }
        return areBinary || isBeyond;
    }

    private static long collation(List<Long> numbers, int column) {
        for (int i = 1; i + 1 < numbers.size(); i += 2) {
            if (numbers.get(i) == column) {
                return numbers.get(i + 1);
            }
        }
        return numbers.isEmpty() ? 0 : numbers.get(0);
    }

    /** Damaged numbers end before the field does; they are found when they are read. */
    private static List<Long> numbers(ByteBuffer view, int field, int end) {
        List<Long> numbers = new ArrayList<>();
        int fieldEnd = Math.min(end, OptionalMetadata.next(view, field));
        for (int next = OptionalMetadata.valueAt(view, field); next < fieldEnd; next = PackedInteger.end(view, next)) {
            numbers.add(PackedInteger.get(view, next));
        }
        return numbers;
    }
}
