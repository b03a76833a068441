package io.tributary.seed.verify;

/** A table that a server does not have, or not with these columns, or that the account may not read. */
public final class UnreadableTableException extends RuntimeException {
    UnreadableTableException(String message, Throwable cause) {
        super(message, cause);
    }
}
