/**
 * Followers: Dumpers that copy the leader's files, byte for byte, over gRPC (replicate.proto).
 *
 * <pre>
 *   leader                                             follower
 *   files ──> LogReader ──> FollowerSession ══gRPC══> LeaderCall ──> FollowStage ──> write.CopyWriter ──> files
 *               (one for each follower)    <══════════ Agreement: up to where are they the same?
 *   readable end <── AckCount <── LeadStage <══════════ acknowledged: durable up to here
 * </pre>
 *
 * It stands beside the files it copies and not in the module {@code backup}, for it needs to know what is written, acknowledged and held, what an
 * event and a cut is, and how a folder is recovered; stages are strangers to each other.
 */
package io.tributary.dumper.replicate;
