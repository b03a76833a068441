package io.tributary.sink.debezium;

/** How DECIMAL and BIGINT UNSIGNED are written: Debezium's {@code decimal.handling.mode} and {@code bigint.unsigned.handling.mode}. */
public enum DecimalForm {
    /** {@code precise}: Kafka Connect's Decimal, the bytes of the number without its point. The scale is only in the schema. */
    BYTES,
    /** {@code string}: digits. */
    TEXT,
    /** {@code double}: a floating-point number, which does not have all digits. */
    DOUBLE;

    /** The form that consumers read without loss: BYTES with a schema, otherwise TEXT. */
    public static DecimalForm exact(boolean hasSchemas) {
        return hasSchemas ? BYTES : TEXT;
    }
}
