package io.tributary.dumper.serve;

/**
 * A value of an expression.
 *
 * @param text as it goes into a text result set; null for NULL
 * @param isNumber whether its column is a number
 */
record SqlValue(String text, boolean isNumber) {
    static final SqlValue NULL = new SqlValue(null, false);

    static SqlValue of(String text) {
        return new SqlValue(text, false);
    }

    static SqlValue of(long number) {
        return new SqlValue(Long.toString(number), true);
    }
}
