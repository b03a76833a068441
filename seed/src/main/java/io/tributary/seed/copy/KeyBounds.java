package io.tributary.seed.copy;

/**
 * The bounds of a part of a member, by the first column of its key.
 *
 * @param part its number, from 0
 * @param lower the least value as a literal; "" for none
 * @param upper the literal of the value before which it ends; "" for none
 */
record KeyBounds(int part, String lower, String upper) {
    /** A whole member. */
    static final KeyBounds ALL = new KeyBounds(0, "", "");
}
