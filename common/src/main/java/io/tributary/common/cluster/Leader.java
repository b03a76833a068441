package io.tributary.common.cluster;

/**
 * The leader of the Dumpers and its epoch: no two leaders have the same epoch.
 *
 * @param node the {@link ClusterMember#id}
 * @param epoch 1 or more, higher for each new leader; 0 only without a cluster
 */
public record Leader(String node, long epoch) {}
