/**
 * Checkers of the promises: programs of their own that read binlog files and tables and say what is wrong in words.
 *
 * <p>They share no code with what they check, but for the value type of GTID sets: events, rows and checksums are decoded
 * here once more, from MySQL's documentation of its formats.
 */
package io.tributary.testkit.check;
