package io.tributary.schema.read;

/** Thrown for a statement that is not read; its message is for developers. It never leaves this package. */
final class UnreadableStatementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableStatementException(String message) {
        super(message, null, false, false);
    }
}
