/**
 * Replication to followers: Dumpers that copy the leader's files, byte for byte, over gRPC (replicate.proto).
 *
 * <pre>
 *   leader                                             follower
 *   files ──> ReplicationReader ──> FollowerSession ══gRPC══> LeaderCall ──> FollowStage ──> write.CopyWriter ──> files
 *               (one for each follower)    <══════════ CommonPrefixSearch: up to where are the files the same?
 *   readable end <── AckCount <── LeadStage <══════════ acknowledged: durable up to here
 * </pre>
 *
 * It is in this module and not in {@code backup}, because it needs to know what is written, acknowledged and held, the formats of events and
 * cuts, and how a folder is recovered; stages do not depend on each other.
 */
package io.tributary.binlog.replicate;
