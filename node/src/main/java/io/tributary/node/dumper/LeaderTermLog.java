package io.tributary.node.dumper;

import io.tributary.binlog.replicate.LeadStage;
import io.tributary.binlog.replicate.LeaderLog;

/**
 * The log that a leader replicates during one leader term.
 *
 * @param log its identity and the files that contain it
 * @param term the leader term
 */
record LeaderTermLog(LeaderLog log, LeadStage.LeaderSettings term) {}
