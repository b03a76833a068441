package io.tributary.seed.copy;

/** A statement would be longer than a Java array, which is longer than any packet of MySQL. */
final class StatementTooLongException extends RuntimeException {
    StatementTooLongException() {
        super("longer than 2 GiB");
    }
}
