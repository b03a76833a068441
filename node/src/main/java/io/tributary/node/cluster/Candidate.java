package io.tributary.node.cluster;

import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.time.Duration;

/**
 * A Dumper that stands for election: it copies from nobody while it does.
 *
 * @param node its id
 * @param position where its files end
 * @param quorum how it counts; only those who count alike are counted
 * @param bound for how long from now on a leader before may still rely on what this one confirmed to it
 */
record Candidate(String node, LogPosition position, Quorum quorum, Duration bound) {}
