package io.tributary.serve.select;

import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.serve.sql.SqlRefusal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of the values of one column in the text form of the protocol. NULL is the first.
 *
 * @param isNumber whether they are numbers; otherwise their bytes are compared
 */
record ValueOrder(boolean isNumber) implements Comparator<Object> {
    private static final int BINARY_COLLATION = 63;
    private static final int ENUM_OR_SET = 256 | 2048;

    /**
     * The order of numbers, dates and binary strings is known here; that of texts depends on collations.
     *
     * @throws SqlRefusal 1235 for a column of another type
     */
    static ValueOrder of(String column, ResultColumnType type) {
        return switch (type.type()) {
            case 0, 1, 2, 3, 4, 5, 8, 9, 13, 246 -> new ValueOrder(true);
            case 7, 10, 12, 14, 16 -> new ValueOrder(false);
            default -> {
                if (type.collation() != BINARY_COLLATION || type.type() < 249 || (type.flags() & ENUM_OR_SET) != 0) {
                    throw SqlRefusal.unsupported(
                            "SELECT on tables: expected a number, a date or a binary string in MIN, MAX or ORDER"
                                    + " BY of a table with several members, found column " + column
                                    + " of another type");
                }
                yield new ValueOrder(false);
            }
        };
    }

    /** A value in the form that is compared; null for NULL. */
    Object key(byte[] text) {
        return text == null || !isNumber ? text : new BigDecimal(new String(text, StandardCharsets.US_ASCII));
    }

    /** Compares two values that {@link #key} has returned. */
    @Override
    public int compare(Object one, Object other) {
        if (one == null || other == null) {
            return Boolean.compare(one != null, other != null);
        }
        return isNumber
                ? ((BigDecimal) one).compareTo((BigDecimal) other)
                : Arrays.compareUnsigned((byte[]) one, (byte[]) other);
    }
}
