/**
 * Extraction: one shard's replication stream becomes tokens, its rows normalised payload in the store; and the writer of heartbeat
 * rounds.
 *
 * <pre>
 *   MysqlClient ──StreamOpener──> BinlogStream ──> Extractor ──> EventReader ──┬─> StatementReader (BEGIN, XA, DDL)
 *                                                                             ├─> SourceTables ──> TableRegistry
 *                                                                             ├─> PayloadWriter ──> PayloadAppender
 *                                                                             └─> TokenWriter ──> Outlet of Token
 *   RoundDemand ──> RoundWriter ──UPDATE tributary.heartbeat──> every shard
 *   ShardCheck: everything that is wrong with the shards, at once, before the start
 * </pre>
 */
package io.tributary.extractor;
