package io.tributary.serve.sql;

/**
 * A value of an expression.
 *
 * @param text its text in a text result set; null for NULL
 * @param isNumber whether its column has whole numbers
 */
public record SqlValue(String text, boolean isNumber) {
    public static final SqlValue NULL = new SqlValue(null, false);

    public static SqlValue of(String text) {
        return new SqlValue(text, false);
    }

    public static SqlValue of(long number) {
        return new SqlValue(Long.toString(number), true);
    }
}
