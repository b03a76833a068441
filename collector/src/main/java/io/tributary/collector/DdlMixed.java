package io.tributary.collector;

/** What happens to rows of a table that has another shape elsewhere. */
public enum DdlMixed {
    /** Stop with an error that names them. */
    REFUSE,
    /** Let them through as they are, with a warning. */
    PASS
}
