package io.tributary.node.status;

import io.tributary.common.cluster.Leader;

/** The leader of the cluster as this node last received it; shown unless another part shows a leader. */
public record LeaderStatus(Leader leader) implements StatusPart {}
