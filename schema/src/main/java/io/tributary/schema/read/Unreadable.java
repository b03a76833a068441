package io.tributary.schema.read;

/** A statement that is not read; its message is for developers. It never leaves this package. */
final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unreadable(String what) {
        super(what, null, false, false);
    }
}
