/**
 * The commands that relate the global order to the shards: {@code positions} and {@code origin}. They read the binlog files of a node, which may
 * run or be stopped, and the binlogs of the shards.
 *
 * <pre>
 *   StoredFiles ── IntervalWalk ──> Interval (two cuts and the transactions between them)
 *   shards ── ShardLog ──> SourceTransaction ── OriginSearch ──> Origin of each transaction, GlobalPoint after it
 * </pre>
 */
package io.tributary.node.command.order;
