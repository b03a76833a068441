package io.tributary.node.dumper;

import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.replicate.LeadStage;
import io.tributary.dumper.replicate.LogIdentity;

/**
 * The log that a leader replicates during one leader term.
 *
 * @param identity of the log
 * @param files that contain it
 * @param term the leader term
 */
record LeaderLog(LogIdentity identity, BinlogFiles files, LeadStage.LeaderSettings term) {}
