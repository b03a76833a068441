/**
 * The extract stage: it turns one shard's replication stream into tokens, and its rows into normalized payload in the store; and the writer of
 * heartbeat rounds.
 *
 * <pre>
 *   MysqlClient ──StreamOpener──> BinlogStream ──> Extractor ──> EventReader ──┬─> StatementReader (BEGIN, XA, DDL)
 *                                                                             ├─> SourceTables ──> TableRegistry
 *                                                                             ├─> PayloadWriter ──> PayloadAppender
 *                                                                             └─> TokenWriter ──> Outlet of Token
 *   RoundRequest ──> RoundWriter ──UPDATE tributary.heartbeat──> every shard
 *   ShardCheck: reports all problems of the shards before the start
 * </pre>
 */
package io.tributary.extractor;
