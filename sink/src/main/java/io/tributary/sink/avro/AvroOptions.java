package io.tributary.sink.avro;

/**
 * How numbers that Avro has no type for are written.
 *
 * @param decimals how DECIMAL is written
 * @param unsigned how BIGINT UNSIGNED is written
 */
public record AvroOptions(Decimals decimals, Unsigned unsigned) {
    /** How DECIMAL is written. */
    public enum Decimals {
        /** Bytes with the logical type decimal. */
        PRECISE,
        /** A string, as the server shows it. */
        STRING
    }

    /** How BIGINT UNSIGNED is written. */
    public enum Unsigned {
        /** A string of digits. */
        STRING,
        /** Bytes with the logical type decimal(20, 0). */
        DECIMAL,
        /** A long, which is negative for values above 2^63 - 1. */
        LONG
    }

    /** The defaults, which keep all values. */
    public static AvroOptions standard() {
        return new AvroOptions(Decimals.PRECISE, Unsigned.STRING);
    }
}
