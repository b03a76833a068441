/**
 * The binlog files: directory, index, recovery, and the reading of what is durable. The writing stands in {@code write}.
 *
 * <pre>
 *   Recovery ── reads directory and last file, truncates to the last cut ──> Recovered
 *        │                                                                      │
 *   BinlogFiles  <── durable end, new files ── write.BinlogPipeline <── chunks ─┘
 *        └── list, locate, open, subscribe ──> readers, backup
 * </pre>
 */
package io.tributary.dumper;
