package io.tributary.binlog.replicate;

/**
 * The identity of a follower towards its leader.
 *
 * @param log identity of the binlog that it copies
 * @param member its name
 */
public record FollowerId(LogIdentity log, String member) {}
