/**
 * Checkers of the invariants. They read binlog files and tables, and report violations as texts.
 *
 * <p>They share no code with the product except the value type of GTID sets: events, rows and checksums have independent decoders
 * here, written from MySQL's documentation of its formats.
 */
package io.tributary.testkit.check;
