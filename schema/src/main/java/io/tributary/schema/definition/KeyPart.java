package io.tributary.schema.definition;

/**
 * One part of a key: a column or an expression.
 *
 * @param column its name; "" for an expression
 * @param prefix the number of characters (bytes of binary columns) in the key; 0 = all
 * @param descending whether the key is descending in this part
 * @param expression of a functional index, in canonical form, without parentheses around it; "" for a column
 */
public record KeyPart(String column, int prefix, boolean descending, String expression) {
    public static KeyPart of(String column) {
        return new KeyPart(column, 0, false, "");
    }

    public KeyPart withColumn(String other) {
        return new KeyPart(other, prefix, descending, expression);
    }

    public KeyPart withPrefix(int other) {
        return new KeyPart(column, other, descending, expression);
    }

    public boolean isExpression() {
        return column.isEmpty();
    }
}
