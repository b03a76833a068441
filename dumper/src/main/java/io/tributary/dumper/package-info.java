/**
 * The binlog files: directory, index, recovery, and access to the durable bytes. The package {@code write} writes them.
 *
 * <pre>
 *   Recovery ── reads directory and last file, truncates to the last cut ──> Recovered
 *        │                                                                      │
 *   BinlogFiles  <── durable end, new files ── write.BinlogPipeline <── chunks ─┘
 *        └── list, locate, open, subscribe ──> readers, backup
 * </pre>
 */
package io.tributary.dumper;
