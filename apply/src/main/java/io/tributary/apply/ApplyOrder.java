package io.tributary.apply;

/** What readers of the target see of the order of the stream. */
public enum ApplyOrder {
    /** The changes of each row are in order, and each transaction is whole. */
    NONE,
    /** In addition, from time to time all transactions up to one of them have committed, and no later one: see {@code tributary_apply.consistent}. */
    GROUP,
    /** At any time the target has all transactions up to one of them, and no later one. */
    STRICT
}
