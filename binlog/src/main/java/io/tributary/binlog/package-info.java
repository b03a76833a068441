/**
 * The binlog files of a node: recovery, access to the durable bytes, cuts and the journal in them, and purge. Single files, the directory and the
 * index are in {@code file}. The package {@code write} writes the files.
 *
 * <pre>
 *   Recovery ── reads directory and last file, truncates to the last cut ──> Recovered
 *        │                                                                      │
 *   BinlogFiles  <── durable end, new files ── write.BinlogPipeline <── chunks ─┘
 *        └── list, locate, open, subscribe ──> readers, backup
 * </pre>
 */
package io.tributary.binlog;
