package io.tributary.node.status;

import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.replicate.FollowerCopy;
import java.util.List;

/**
 * Replication from a leader to its followers.
 *
 * @param epoch of the leader
 * @param written end of its files
 * @param followers that copy now
 * @param needed how many followers must have data before readers see it
 * @param waitingBytes that readers do not see yet
 */
public record ReplicationStatus(
        long epoch, BinlogPosition written, List<FollowerCopy> followers, int needed, long waitingBytes) {}
