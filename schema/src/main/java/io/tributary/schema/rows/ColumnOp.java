package io.tributary.schema.rows;

import io.tributary.schema.rows.convert.Conversion;
import io.tributary.schema.rows.convert.ConversionChoice;
import io.tributary.schema.rows.convert.StoredColumn;

/**
 * The operation that creates a column of the target.
 *
 * @param kind how its bytes are created
 * @param name of the target's column, for messages
 * @param source the source's column, -1 for CONST
 * @param refusesNull whether a null does not convert
 * @param fromPrefix for PREFIX: bytes of the length before the value in the source
 * @param toPrefix for PREFIX: bytes of the length before the value in the target
 * @param conversion for CONVERT
 * @param constant for CONST; null for SQL NULL
 * @param run for COPY: the number of columns from this one on that are copied together, 1 or more
 * @param reason why there is no operation; null if there is one
 */
record ColumnOp(
        Kind kind,
        String name,
        int source,
        boolean refusesNull,
        int fromPrefix,
        int toPrefix,
        Conversion conversion,
        byte[] constant,
        int run,
        String reason) {
    enum Kind {
        /** Copies the bytes unchanged. */
        COPY,
        /** Copies the bytes and writes the length before them in another size. */
        PREFIX,
        /** Converts the value. */
        CONVERT,
        /** Writes the same value in each row. */
        CONST
    }

    static ColumnOp none(String reason) {
        return new ColumnOp(Kind.CONST, "", -1, false, 0, 0, null, null, 1, reason);
    }

    static ColumnOp constant(String name, byte[] constant) {
        return new ColumnOp(Kind.CONST, name, -1, false, 0, 0, null, constant, 1, null);
    }

    static ColumnOp of(int source, StoredColumn from, StoredColumn to, String name) {
        boolean refusesNull = from.isNullable() && !to.isNullable();
        ConversionChoice choice = ConversionChoice.of(from, to);
        if (choice.reason() != null) {
            return none(choice.reason());
        }
        if (choice.conversion() != null) {
            return new ColumnOp(Kind.CONVERT, name, source, refusesNull, 0, 0, choice.conversion(), null, 1, null);
        }
        Kind kind = from.prefix() == to.prefix() ? Kind.COPY : Kind.PREFIX;
        return new ColumnOp(kind, name, source, refusesNull, from.prefix(), to.prefix(), null, null, 1, null);
    }

    ColumnOp joined(int columns) {
        return new ColumnOp(
                kind, name, source, refusesNull, fromPrefix, toPrefix, conversion, constant, columns, reason);
    }
}
