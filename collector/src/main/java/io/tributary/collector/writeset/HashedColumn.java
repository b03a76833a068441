package io.tributary.collector.writeset;

/**
 * One column of a key.
 *
 * @param name of the column, in small letters
 * @param form of its values
 * @param prefix the number of bytes of a value that count; 0 = all
 */
record HashedColumn(String name, KeyForm form, int prefix) {}
