/**
 * The MySQL face: what a reader of the binlog asks, and what it gets.
 *
 * <pre>
 *   reader ── login ── statements ── COM_BINLOG_DUMP / _GTID ── events up to the last durable cut, then heartbeats
 * </pre>
 */
package io.tributary.dumper.serve;
