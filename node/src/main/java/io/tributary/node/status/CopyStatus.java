package io.tributary.node.status;

import io.tributary.common.cluster.LogPosition;

/**
 * The copy of a leader's binlog.
 *
 * @param end up to where it is copied
 * @param behindBytes how much of the leader's binlog is missing
 */
public record CopyStatus(LogPosition end, long behindBytes) {}
