/**
 * The MySQL protocol side: sessions of the binlog's readers, their rights and limits. Their statements are answered in {@code statement}, the binlog
 * is sent to them in {@code dump}.
 *
 * <pre>
 *   reader ── login ── statements ── COM_BINLOG_DUMP / _GTID ── events up to the last durable cut, then heartbeats
 * </pre>
 */
package io.tributary.serve;
