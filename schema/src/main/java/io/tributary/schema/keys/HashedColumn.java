package io.tributary.schema.keys;

/**
 * One column of a key.
 *
 * @param name of the column, in small letters
 * @param form of its values
 * @param prefix the number of bytes of a value that count; 0 = all
 */
public record HashedColumn(String name, KeyForm form, int prefix) {}
