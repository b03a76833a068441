/**
 * The extract stage: it turns one shard's replication stream into tokens, and its rows into normalized payload in the store; and the writer of
 * heartbeat rounds. This package contains what its sub-packages share: the configuration of shards, their facts and tables, filters and the state of
 * the open transaction. The stage is in {@code stream}, the writer of rounds in {@code rounds}, the checks of shards in {@code check}.
 *
 * <pre>
 *   MysqlClient ──stream.StreamOpener──> BinlogStream ──> stream.Extractor ──> stream.EventReader
 *                                                                                ├─> StatementReader (BEGIN, XA, DDL)
 *                                                                                ├─> SourceTables ──> TableRegistry
 *                                                                                ├─> PayloadWriter ──> PayloadAppender
 *                                                                                └─> TokenWriter ──> Outlet of Token
 *   RoundRequest ──> rounds.RoundWriter ──UPDATE tributary.heartbeat──> every shard
 *   check.ShardCheck: reports all problems of the shards before the start
 * </pre>
 */
package io.tributary.extractor;
