package io.tributary.binlog.replicate;

import io.tributary.binlog.BinlogFiles;

/**
 * The binlog that a leader sends to its followers.
 *
 * @param files their readable end is held back if followers are needed
 */
public record LeaderLog(LogIdentity identity, BinlogFiles files) {}
