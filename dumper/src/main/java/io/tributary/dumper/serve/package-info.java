/**
 * The MySQL protocol side: statements and dumps of the binlog's readers.
 *
 * <pre>
 *   reader ── login ── statements ── COM_BINLOG_DUMP / _GTID ── events up to the last durable cut, then heartbeats
 * </pre>
 */
package io.tributary.dumper.serve;
