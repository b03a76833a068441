package io.tributary.serve.select;

import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.serve.sql.SqlRefusal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The order of the values of one column in the text form of the protocol; NULL is null and the first. */
final class ValueOrder {
    private static final int BINARY_COLLATION = 63;
    private static final int ENUM_OR_SET = 256 | 2048;

    private ValueOrder() {}

    /**
     * The order of numbers, dates and binary strings is known here; that of texts depends on collations.
     *
     * @throws SqlRefusal 1235 for a column of another type
     */
    static Comparator<byte[]> of(String column, ResultColumnType type) {
        Comparator<byte[]> order = switch (type.type()) {
            case 0, 1, 2, 3, 4, 5, 8, 9, 13, 246 -> Comparator.comparing(ValueOrder::number);
            case 7, 10, 12, 14, 16 -> Arrays::compareUnsigned;
            default ->
                type.collation() == BINARY_COLLATION && type.type() >= 249 && (type.flags() & ENUM_OR_SET) == 0
                        ? Arrays::compareUnsigned
                        : null;
        };
        if (order == null) {
            throw SqlRefusal.unsupported(
                    "SELECT on tables: expected a number, a date or a binary string in MIN, MAX or ORDER"
                            + " BY of a table with several members, found column " + column + " of another type");
        }
        return Comparator.nullsFirst(order);
    }

    private static BigDecimal number(byte[] text) {
        return new BigDecimal(new String(text, StandardCharsets.US_ASCII));
    }
}
